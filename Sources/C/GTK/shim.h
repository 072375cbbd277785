// The door to GTK 4. Shims exist only for what Swift can't call: casts, which are macros; variadic calls; and signals, whose handlers have
// many types behind one.

#ifndef THUMBTURN_C_GTK_H
#define THUMBTURN_C_GTK_H

#include <glib-unix.h>
#include <gtk/gtk.h>
#include <string.h>

// Casts.

static inline void thumb_window_set_title(GtkWidget *window, const char *title) { gtk_window_set_title(GTK_WINDOW(window), title); }
static inline void thumb_window_set_child(GtkWidget *window, GtkWidget *child) { gtk_window_set_child(GTK_WINDOW(window), child); }
static inline void thumb_window_set_fixed(GtkWidget *window) { gtk_window_set_resizable(GTK_WINDOW(window), FALSE); }
static inline void thumb_window_set_focus(GtkWidget *window, GtkWidget *child) { gtk_window_set_focus(GTK_WINDOW(window), child); }
static inline void thumb_window_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }
static inline void thumb_window_destroy(GtkWidget *window) { gtk_window_destroy(GTK_WINDOW(window)); }
static inline void thumb_box_append(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }
static inline void thumb_image_set_size(GtkWidget *image, int pixels) { gtk_image_set_pixel_size(GTK_IMAGE(image), pixels); }
// Shows the theme's icon of that name. False if the theme has none.
static inline gboolean thumb_image_set_icon(GtkWidget *image, const char *name) {
    if (!gtk_icon_theme_has_icon(gtk_icon_theme_get_for_display(gtk_widget_get_display(image)), name)) return FALSE;
    gtk_image_set_from_icon_name(GTK_IMAGE(image), name);
    return TRUE;
}
static inline void thumb_label_set_text(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }
static inline void thumb_label_set_wrapping(GtkWidget *label, int characters) {
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_max_width_chars(GTK_LABEL(label), characters);
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
}
static inline void thumb_window_set_default(GtkWidget *window, GtkWidget *child) {
    gtk_window_set_default_widget(GTK_WINDOW(window), child);
}
static inline void thumb_button_set_child(GtkWidget *button, GtkWidget *child) { gtk_button_set_child(GTK_BUTTON(button), child); }
static inline void thumb_button_set_label(GtkWidget *button, const char *text) { gtk_button_set_label(GTK_BUTTON(button), text); }

// Variadic calls.

static inline GtkWidget *thumb_label_with_role(GtkAccessibleRole role) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_LABEL, "accessible-role", role, NULL));
}
static inline GtkWidget *thumb_canvas_with_role(GtkAccessibleRole role, int width, int height) {
    GtkWidget *area = GTK_WIDGET(g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", role, NULL));
    gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), width);
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), height);
    return area;
}
static inline void thumb_accessible_set_label(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}
static inline void thumb_prefer_dark(gboolean dark) {
    g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", dark, NULL);
}

// Signals and callbacks, one shim for each form in use. The handler gets `data` back unchanged.

static inline void thumb_on_clicked(GtkWidget *button, void (*handler)(GtkWidget *, void *), void *data) {
    g_signal_connect_data(button, "clicked", G_CALLBACK(handler), data, NULL, 0);
}
static inline void thumb_on_close(GtkWidget *window, gboolean (*handler)(GtkWidget *, void *), void *data) {
    g_signal_connect_data(window, "close-request", G_CALLBACK(handler), data, NULL, 0);
}
static inline void thumb_on_key(
    GtkWidget *widget, GtkPropagationPhase phase,
    gboolean (*handler)(GtkEventController *, guint key, guint code, GdkModifierType, void *), void *data) {
    GtkEventController *controller = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(controller, phase);
    g_signal_connect_data(controller, "key-pressed", G_CALLBACK(handler), data, NULL, 0);
    gtk_widget_add_controller(widget, controller);
}
static inline void thumb_on_draw(GtkWidget *area, void (*handler)(GtkDrawingArea *, cairo_t *, int, int, void *), void *data) {
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), handler, data, NULL);
}

static inline void thumb_on_commit(GtkIMContext *input, void (*handler)(GtkIMContext *, const char *, void *), void *data) {
    g_signal_connect_data(input, "commit", G_CALLBACK(handler), data, NULL, 0);
}

// The keyboard of whoever sits there, for as long as it is held; NULL if there is none. Calls back when Caps Lock changes.
static inline GdkDevice *thumb_hold_keyboard(void (*changed)(GdkDevice *, GParamSpec *, void *), void *data) {
    GdkSeat *seat = gdk_display_get_default_seat(gdk_display_get_default());
    GdkDevice *keyboard = seat ? gdk_seat_get_keyboard(seat) : NULL;
    if (!keyboard) return NULL;
    g_signal_connect_data(keyboard, "notify::caps-lock-state", G_CALLBACK(changed), data, NULL, 0);
    return g_object_ref(keyboard);
}
static inline void thumb_release_keyboard(GdkDevice *keyboard, void *data) {
    g_signal_handlers_disconnect_matched(keyboard, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, data);
    g_object_unref(keyboard);
}

// Draws one character as a shape, or with no `cairo` only measures it; its width. Pango never has two of them, so that what is typed
// lies nowhere as a whole in ordinary memory.
static inline int thumb_draw_character(GtkWidget *widget, cairo_t *cairo, gunichar character, double x, int height) {
    char text[7] = {0};
    int width, tall, length = g_unichar_to_utf8(character, text);
    PangoLayout *layout = gtk_widget_create_pango_layout(widget, NULL);
    pango_layout_set_text(layout, text, length);
    pango_layout_get_pixel_size(layout, &width, &tall);
    if (cairo) {
        cairo_move_to(cairo, x, (height - tall) / 2.0);
        pango_cairo_layout_path(cairo, layout);
        cairo_fill(cairo);
    }
    pango_layout_set_text(layout, "", 0);
    g_object_unref(layout);
    explicit_bzero(text, sizeof text);
    return width;
}

// Calls back after each frame of this window that was drawn and passed to the display.
static inline void thumb_on_painted(GtkWidget *window, void (*handler)(GdkFrameClock *, void *), void *data) {
    g_signal_connect_data(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(handler), data, NULL, 0);
}
static inline void thumb_forget_painted(GtkWidget *window, void *data) {
    GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
    if (clock) g_signal_handlers_disconnect_matched(clock, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, data);
}
// Whether the window is on the screen, as far as its display tells: mapped, and not minimized.
static inline gboolean thumb_window_is_visible(GtkWidget *window) {
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (!surface || !gtk_widget_get_mapped(window)) return FALSE;
    return !GDK_IS_TOPLEVEL(surface) || !(gdk_toplevel_get_state(GDK_TOPLEVEL(surface)) & GDK_TOPLEVEL_STATE_MINIMIZED);
}
static inline const char *thumb_display_kind(void) { return G_OBJECT_TYPE_NAME(gdk_display_get_default()); }
static inline const char *thumb_display_name(void) { return gdk_display_get_name(gdk_display_get_default()); }

// The colour of text on this widget: dark on light, or light on dark.
static inline GdkRGBA thumb_foreground(GtkWidget *widget) {
    GdkRGBA colour;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &colour);
    return colour;
}
// Whether the desktop's settings ask for dark windows. GTK alone doesn't read them.
static inline gboolean thumb_desktop_is_dark(void) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    if (!bus) return FALSE;
    GVariant *reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "Read",
        g_variant_new("(ss)", "org.freedesktop.appearance", "color-scheme"), G_VARIANT_TYPE("(v)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, 500, NULL, NULL);
    g_object_unref(bus);
    if (!reply) return FALSE;
    GVariant *value = g_variant_get_child_value(reply, 0);
    while (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) {
        GVariant *inner = g_variant_get_variant(value);
        g_variant_unref(value);
        value = inner;
    }
    gboolean dark = g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32) && g_variant_get_uint32(value) == 1;
    g_variant_unref(value);
    g_variant_unref(reply);
    return dark;
}
static inline void thumb_use_style(const char *css) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, css, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}

#endif
