// GTK's casts are macros, which Swift does not import: the calls of the example without them.
#pragma once
#include <gtk/gtk.h>

static inline GtkWidget *list_row(GtkWidget *list, int index) {
    return GTK_WIDGET(gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), index));
}

static inline void list_insert(GtkWidget *list, GtkWidget *row, int index) {
    gtk_list_box_insert(GTK_LIST_BOX(list), row, index);
}

// The reference that the caller gets keeps the row for its next place.
static inline GtkWidget *list_take(GtkWidget *list, int index) {
    GtkWidget *row = g_object_ref(list_row(list, index));
    gtk_list_box_remove(GTK_LIST_BOX(list), row);
    return row;
}

static inline GtkWidget *new_row(const char *text) {
    GtkWidget *row = gtk_list_box_row_new(), *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), label);
    return row;
}

static inline const char *row_text(GtkWidget *row) {
    return gtk_label_get_text(GTK_LABEL(gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(row))));
}

static inline void set_row_text(GtkWidget *row, const char *text) {
    gtk_label_set_text(GTK_LABEL(gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(row))), text);
}

static inline void box_append(GtkWidget *box, GtkWidget *child) {
    gtk_box_append(GTK_BOX(box), child);
}

static inline void box_insert(GtkWidget *box, GtkWidget *child, GtkWidget *sibling) {
    gtk_box_insert_child_after(GTK_BOX(box), child, sibling);
}

static inline void box_remove(GtkWidget *box, GtkWidget *child) {
    gtk_box_remove(GTK_BOX(box), child);
}

static inline GtkWidget *new_label(const char *text) {
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "heading");
    return label;
}

static inline void set_label(GtkWidget *label, const char *text) {
    gtk_label_set_text(GTK_LABEL(label), text);
}

static inline GtkWidget *new_window(const char *title, GtkWidget *child) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), title);
    gtk_window_set_default_size(GTK_WINDOW(window), 320, 360);
    gtk_window_set_child(GTK_WINDOW(window), child);
    return window;
}

static inline void show_window(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }

// Draws the window to a picture; returns whether that worked.
static inline gboolean save_window(GtkWidget *window, const char *path) {
    GdkPaintable *paintable = gtk_widget_paintable_new(window);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(window),
        gtk_widget_get_height(window));
    GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
    g_object_unref(paintable);
    if (!node) return FALSE;
    GskRenderer *renderer = gtk_native_get_renderer(GTK_NATIVE(window));
    GdkTexture *texture = gsk_renderer_render_texture(renderer, node, NULL);
    gsk_render_node_unref(node);
    gboolean saved = gdk_texture_save_to_png(texture, path);
    g_object_unref(texture);
    return saved;
}
