import CThumbGTK

/// One of GTK's widgets. Its window owns it, so don't keep one longer than the window.
@safe struct Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>

    private init(_ pointer: UnsafeMutablePointer<GtkWidget>?) {
        // GTK makes the widget, or ends the program.
        unsafe self.pointer = pointer!
    }

    static func window() -> Widget {
        let window = unsafe Widget(gtk_window_new())
        unsafe thumb_window_set_fixed(window.pointer)
        return window
    }

    static func column(spacing: Int32) -> Widget { unsafe Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, spacing)) }

    static func row(spacing: Int32) -> Widget { unsafe Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, spacing)) }

    /// One or more lines of text, centred.
    static func label(_ styles: String..., role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL) -> Widget {
        let label = unsafe Widget(thumb_label_with_role(role))
        unsafe thumb_label_set_wrapping(label.pointer, 44)
        for style in styles { label.add(style: style) }
        return label
    }

    static func button() -> Widget { unsafe Widget(gtk_button_new_with_label("")) }

    /// A button with a drawing in it. A click leaves the focus where it is.
    static func button(around drawing: Widget) -> Widget {
        let button = unsafe Widget(gtk_button_new())
        drawing.centre()
        unsafe gtk_widget_set_valign(drawing.pointer, GTK_ALIGN_CENTER)
        unsafe thumb_button_set_child(button.pointer, drawing.pointer)
        unsafe gtk_widget_set_focus_on_click(button.pointer, 0)
        return button
    }

    /// Something to draw on.
    static func canvas(_ width: Int32, _ height: Int32, role: GtkAccessibleRole) -> Widget {
        unsafe Widget(thumb_canvas_with_role(role, width, height))
    }

    /// A picture of the desktop's theme, which a screen reader leaves out.
    static func icon(_ size: Int32) -> Widget {
        let icon = unsafe Widget(gtk_image_new())
        unsafe thumb_image_set_size(icon.pointer, size)
        return icon
    }

    func append(_ children: Widget...) {
        for child in children { unsafe thumb_box_append(pointer, child.pointer) }
    }

    func add(style: String) { unsafe gtk_widget_add_css_class(pointer, style) }

    func toggle(style: String, _ isOn: Bool) {
        if isOn { add(style: style) } else { unsafe gtk_widget_remove_css_class(pointer, style) }
    }

    /// Shows the text, or hides the widget if there is none.
    func show(text: String?) {
        unsafe thumb_label_set_text(pointer, text ?? "")
        unsafe gtk_widget_set_visible(pointer, text == nil ? 0 : 1)
    }

    func show(title: String?) {
        unsafe thumb_button_set_label(pointer, title ?? "")
        unsafe gtk_widget_set_visible(pointer, title == nil ? 0 : 1)
    }

    /// Shows the icon of that name, or hides the widget if the theme has none.
    func show(icon: String?) {
        show(icon.map { unsafe thumb_image_set_icon(pointer, $0) != 0 } ?? false)
    }

    func show(_ isVisible: Bool) { unsafe gtk_widget_set_visible(pointer, isVisible ? 1 : 0) }

    func enable(_ isEnabled: Bool) { unsafe gtk_widget_set_sensitive(pointer, isEnabled ? 1 : 0) }

    func centre() { unsafe gtk_widget_set_halign(pointer, GTK_ALIGN_CENTER) }

    func redraw() { unsafe gtk_widget_queue_draw(pointer) }

    func expand() { unsafe gtk_widget_set_hexpand(pointer, 1) }

    /// Sets the name that a screen reader reads.
    func describe(_ text: String) { unsafe thumb_accessible_set_label(pointer, text) }

    var hasFocus: Bool { unsafe gtk_widget_has_focus(pointer) != 0 }
}
