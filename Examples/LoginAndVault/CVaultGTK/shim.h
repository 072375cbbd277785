// The example's door to GTK 4: what Swift can't call, because it is a macro or takes any number of arguments.

#ifndef VAULT_GTK_H
#define VAULT_GTK_H

#include <gtk/gtk.h>
#include <string.h>

static inline void vault_set_text(GObject *object, const char *property, const char *text) {
    g_object_set(object, property, text, NULL);
}
static inline void vault_set_flag(GObject *object, const char *property, gboolean flag) { g_object_set(object, property, flag, NULL); }
static inline gboolean vault_flag(GObject *object, const char *property) {
    gboolean flag = FALSE;
    g_object_get(object, property, &flag, NULL);
    return flag;
}
// Calls back with `data` alone, whatever else comes with the signal. False lets GTK go on.
static inline void vault_on(GObject *object, const char *signal, gboolean (*handler)(void *), void *data) {
    g_signal_connect_data(object, signal, G_CALLBACK(handler), data, NULL, G_CONNECT_SWAPPED);
}

static inline void vault_present(GObject *window) { gtk_window_present(GTK_WINDOW(window)); }
static inline void vault_focus(GObject *widget) { gtk_widget_grab_focus(GTK_WIDGET(widget)); }
static inline const char *vault_typed(GObject *entry) { return gtk_editable_get_text(GTK_EDITABLE(entry)); }
// What a screen reader calls it, where it has no text of its own.
static inline void vault_set_name(GObject *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}
// What the window is drawn on; its `state` says whether it is minimized.
static inline GObject *vault_surface(GObject *window) { return G_OBJECT(gtk_native_get_surface(GTK_NATIVE(window))); }
static inline gboolean vault_is_minimized(GObject *surface) {
    return (gdk_toplevel_get_state(GDK_TOPLEVEL(surface)) & GDK_TOPLEVEL_STATE_MINIMIZED) != 0;
}

static inline void vault_use_style(const char *css) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, css, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}
static inline gboolean vault_desktop_has_icon(const char *name) {
    return gtk_icon_theme_has_icon(gtk_icon_theme_get_for_display(gdk_display_get_default()), name);
}
// The colour of text on a widget.
static inline GdkRGBA vault_color(GObject *widget) {
    GdkRGBA color;
    gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(widget)), &color);
    return color;
}
// Shows a drawing. False if nothing on this machine reads SVG.
static inline gboolean vault_draw(GObject *image, const char *svg, int size) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_mime_type("image/svg+xml", NULL);
    if (!loader) return FALSE;
    gdk_pixbuf_loader_set_size(loader, size, size);
    gboolean is_read = gdk_pixbuf_loader_write(loader, (const guchar *)svg, strlen(svg), NULL);
    // Closed in any case, or it complains.
    is_read = gdk_pixbuf_loader_close(loader, NULL) && is_read;
    GdkPixbuf *pixels = is_read ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
    if (pixels) {
        GdkTexture *texture = gdk_texture_new_for_pixbuf(pixels);
        gtk_image_set_from_paintable(GTK_IMAGE(image), GDK_PAINTABLE(texture));
        g_object_unref(texture);
    }
    g_object_unref(loader);
    return pixels != NULL;
}

#endif
