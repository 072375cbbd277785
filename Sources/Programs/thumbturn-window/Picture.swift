import CThumbGTK
import ThumbAccess
import ThumbPrompting

/// Draws the sensor: a fingertip's lines, a face, or a keyhole. The colour says what it is doing.
enum Picture {
    static func draw(_ picture: WindowView.Picture, on cairo: OpaquePointer, size: Double, _ text: GdkRGBA) {
        switch picture.mood {
        case .listening: unsafe cairo_set_source_rgb(cairo, 0.21, 0.52, 0.89)
        case .missed: unsafe cairo_set_source_rgb(cairo, 0.88, 0.11, 0.14)
        case .resting:
            unsafe cairo_set_source_rgba(cairo, Double(text.red), Double(text.green), Double(text.blue), 0.5)
        }
        unsafe cairo_scale(cairo, size, size)
        unsafe cairo_set_line_width(cairo, 0.04)
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        switch picture.sensor {
        case .touchID: unsafe drawFinger(cairo)
        case .faceID: unsafe drawFace(cairo)
        case .none: unsafe drawKeyhole(cairo)
        }
    }

    /// Draws a passcode: one dot for each character.
    static func draw(dots: Int, hasCaret: Bool, on cairo: OpaquePointer, height: Double, _ text: GdkRGBA) {
        unsafe cairo_set_source_rgb(cairo, Double(text.red), Double(text.green), Double(text.blue))
        for dot in 0..<dots {
            unsafe cairo_arc(cairo, 6 + 13 * Double(dot), height / 2, 4, 0, 2 * .pi)
            unsafe cairo_fill(cairo)
        }
        guard hasCaret else { return }
        unsafe cairo_rectangle(cairo, 13 * Double(dots), 1, 1, height - 2)
        unsafe cairo_fill(cairo)
    }

    /// Draws a passcode that its owner wants to see; the end of it, if it is longer than the field.
    static func draw(
        _ reveal: ((Unicode.Scalar) -> Void) -> Void, hasCaret: Bool, on cairo: OpaquePointer, of field: Widget, width: Int32,
        height: Int32, _ text: GdkRGBA
    ) {
        unsafe cairo_set_source_rgb(cairo, Double(text.red), Double(text.green), Double(text.blue))
        var length: Int32 = 0
        reveal { length += unsafe thumb_draw_character(field.pointer, nil, $0.value, 0, height) }
        // The caret stands behind the last character, and has to be seen too.
        var x = Double(min(0, width - 2 - length))
        reveal { x += Double(unsafe thumb_draw_character(field.pointer, cairo, $0.value, x, height)) }
        guard hasCaret else { return }
        unsafe cairo_rectangle(cairo, x, 1, 1, Double(height) - 2)
        unsafe cairo_fill(cairo)
    }

    /// Draws an eye, struck through while it sees nothing.
    static func draw(eye isOpen: Bool, on cairo: OpaquePointer, size: Double, _ text: GdkRGBA) {
        unsafe cairo_set_source_rgb(cairo, Double(text.red), Double(text.green), Double(text.blue))
        unsafe cairo_scale(cairo, size, size)
        unsafe cairo_set_line_width(cairo, 0.07)
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_move_to(cairo, 0.06, 0.5)
        unsafe cairo_curve_to(cairo, 0.28, 0.14, 0.72, 0.14, 0.94, 0.5)
        unsafe cairo_curve_to(cairo, 0.72, 0.86, 0.28, 0.86, 0.06, 0.5)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, 0.5, 0.5, 0.13, 0, 2 * .pi)
        if !isOpen {
            unsafe cairo_move_to(cairo, 0.18, 0.86)
            unsafe cairo_line_to(cairo, 0.82, 0.14)
        }
        unsafe cairo_stroke(cairo)
    }

    /// Draws arches around one point. Each is open at the bottom, and some have a gap.
    @unsafe private static func drawFinger(_ cairo: OpaquePointer) {
        let arches: [(radius: Double, from: Double, to: Double, leg: Double)] = [
            (0.07, 1.0, 2.0, 0.22), (0.15, 0.95, 2.05, 0.20), (0.23, 0.88, 1.62, 0), (0.23, 1.74, 2.0, 0.24),
            (0.31, 1.02, 2.1, 0), (0.39, 1.12, 1.5, 0), (0.39, 1.6, 1.95, 0),
        ]
        for arch in arches {
            unsafe cairo_new_sub_path(cairo)
            unsafe cairo_arc(cairo, 0.5, 0.52, arch.radius, arch.from * .pi, arch.to * .pi)
            if arch.leg > 0 { unsafe cairo_rel_line_to(cairo, 0, arch.leg) }
        }
        unsafe cairo_stroke(cairo)
    }

    @unsafe private static func drawFace(_ cairo: OpaquePointer) {
        // The corners of a frame.
        for (x, y, dx, dy) in [(0.1, 0.1, 1.0, 1.0), (0.9, 0.1, -1, 1), (0.1, 0.9, 1, -1), (0.9, 0.9, -1, -1)] {
            unsafe cairo_move_to(cairo, x + 0.16 * dx, y)
            unsafe cairo_line_to(cairo, x, y)
            unsafe cairo_line_to(cairo, x, y + 0.16 * dy)
        }
        for x in [0.36, 0.64] {
            unsafe cairo_move_to(cairo, x, 0.36)
            unsafe cairo_rel_line_to(cairo, 0, 0.08)
        }
        unsafe cairo_move_to(cairo, 0.51, 0.38)
        unsafe cairo_rel_line_to(cairo, 0, 0.17)
        unsafe cairo_rel_line_to(cairo, -0.05, 0)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, 0.5, 0.52, 0.2, 0.25 * .pi, 0.75 * .pi)
        unsafe cairo_stroke(cairo)
    }

    @unsafe private static func drawKeyhole(_ cairo: OpaquePointer) {
        unsafe cairo_rectangle(cairo, 0.2, 0.45, 0.6, 0.42)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, 0.5, 0.45, 0.19, .pi, 2 * .pi)
        unsafe cairo_stroke(cairo)
        unsafe cairo_arc(cairo, 0.5, 0.62, 0.055, 0, 2 * .pi)
        unsafe cairo_fill(cairo)
        unsafe cairo_move_to(cairo, 0.5, 0.64)
        unsafe cairo_rel_line_to(cairo, 0, 0.11)
        unsafe cairo_stroke(cairo)
    }
}
