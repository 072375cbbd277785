import CThumbGTK

/// The window's look, beyond GTK's own theme.
enum Style {
    private static let css = """
        .prompt { padding: 24px; min-width: 360px; }
        .caller { font-size: 140%; font-weight: bold; }
        .place { font-weight: bold; }
        .small { font-size: 90%; opacity: 0.75; }
        .words { padding: 10px; border-radius: 8px; background: alpha(currentColor, 0.07); }
        .reason { font-style: italic; }
        .notice { color: @error_color; font-weight: bold; }
        .caps-lock { color: @warning_color; font-weight: bold; }
        .field { padding: 11px; border-radius: 6px; border: 1px solid alpha(currentColor, 0.4); }
        .field:focus { border-color: #3584e4; box-shadow: inset 0 0 0 1px #3584e4; }
        .buttons { margin-top: 8px; }
        .buttons button { min-height: 44px; min-width: 88px; padding: 0 12px; }
        .buttons button.default { font-weight: bold; }
        button.peek { min-height: 44px; min-width: 44px; padding: 0; }
        button.dismiss { min-height: 36px; }
        """

    /// Call it once, after GTK has started.
    static func apply() {
        unsafe thumb_use_style(css)
        // Without a session bus there is no desktop to ask, and this must not start one.
        if Environment.value("DBUS_SESSION_BUS_ADDRESS") != nil, thumb_desktop_is_dark() != 0 { thumb_prefer_dark(1) }
    }
}
