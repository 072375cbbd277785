/// The window as GtkBuilder reads it. What isn't there on a screen is hidden, and has no text either.
let layout = """
    <interface>
      <object class="GtkWindow" id="window">
        <property name="title">Vault</property>
        <property name="resizable">0</property>
        <child>
          <object class="GtkBox">
            <property name="orientation">vertical</property>
            <property name="spacing">14</property>
            <property name="width-request">380</property>
            <style><class name="vault"/></style>
            <child>
              <object class="GtkLabel" id="heading"><style><class name="heading"/></style></object>
            </child>
            <child>
              <object class="GtkLabel" id="explanation">
                <property name="wrap">1</property>
                <property name="max-width-chars">40</property>
                <property name="justify">center</property>
              </object>
            </child>
            <child>
              <object class="GtkButton" id="sensor">
                <property name="halign">center</property>
                <style><class name="suggested-action"/><class name="sensor"/></style>
                <child>
                  <object class="GtkBox">
                    <property name="spacing">12</property>
                    <child>
                      <object class="GtkImage" id="symbol">
                        <property name="accessible-role">img</property>
                        <property name="pixel-size">32</property>
                      </object>
                    </child>
                    <child><object class="GtkLabel" id="sensor-title"/></child>
                  </object>
                </child>
              </object>
            </child>
            <child>
              <object class="GtkBox" id="waiting">
                <property name="halign">center</property>
                <property name="spacing">10</property>
                <child><object class="GtkSpinner"><property name="spinning">1</property></object></child>
                <child><object class="GtkLabel" id="waiting-text"/></child>
              </object>
            </child>
            <child>
              <object class="GtkButton" id="passcode"><property name="label">Give the passcode</property></object>
            </child>
            <child>
              <object class="GtkPasswordEntry" id="entry">
                <property name="show-peek-icon">1</property>
                <property name="placeholder-text">Password</property>
              </object>
            </child>
            <child>
              <object class="GtkButton" id="log-in">
                <property name="label">Log in</property>
                <style><class name="suggested-action"/></style>
              </object>
            </child>
            <child>
              <object class="GtkButton" id="password">
                <property name="label">Log in with your password</property>
              </object>
            </child>
            <child><object class="GtkButton" id="back"><property name="label">Back</property></object></child>
            <child>
              <object class="GtkBox" id="notes">
                <property name="orientation">vertical</property>
                <property name="spacing">6</property>
                <child><object class="GtkButton" id="note-0"/></child>
                <child><object class="GtkButton" id="note-1"/></child>
                <child><object class="GtkButton" id="note-2"/></child>
              </object>
            </child>
            <child>
              <object class="GtkLabel" id="note">
                <property name="wrap">1</property>
                <property name="max-width-chars">40</property>
                <style><class name="note"/></style>
              </object>
            </child>
            <child><object class="GtkButton" id="lock"><property name="label">Lock</property></object></child>
            <child>
              <object class="GtkLabel" id="remark">
                <property name="accessible-role">alert</property>
                <property name="wrap">1</property>
                <property name="max-width-chars">40</property>
                <property name="justify">center</property>
                <style><class name="remark"/></style>
              </object>
            </child>
          </object>
        </child>
      </object>
    </interface>
    """

/// How it looks, beyond the desktop's own theme.
let style = """
    .vault { padding: 28px; }
    .vault button, .vault entry { min-height: 44px; }
    .heading { font-size: 150%; font-weight: bold; }
    .sensor { padding: 8px 20px; }
    .note { padding: 12px; border-radius: 8px; background: alpha(currentColor, 0.07); }
    .remark { color: @error_color; font-weight: bold; }
    """
