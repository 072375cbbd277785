import Foundation
import thumbturn_test_programs

/// A drawing as GTK's own library renders it, to hold against what a window shows.
struct Drawing {
    /// As wide and as high as the example's window shows its symbol.
    static let size = 32
    /// How far a drawing may be from the place that a screen reader is told, in each direction.
    private static let margin = 4
    private static let pictureSize = size + 2 * margin

    /// How much of each pixel it covers, line by line.
    private let coverage: [Double]

    private static let script = """
        import sys
        import gi
        gi.require_version("GdkPixbuf", "2.0")
        from gi.repository import GdkPixbuf
        drawing = GdkPixbuf.Pixbuf.new_from_file_at_size(sys.argv[1], int(sys.argv[2]), int(sys.argv[2]))
        pixels, stride = drawing.get_pixels(), drawing.get_rowstride()
        for row in range(drawing.get_height()):
            print(*pixels[row * stride:row * stride + 4 * drawing.get_width()][3::4])
        """

    init(_ path: String, _ environment: [String: String]) throws {
        let said = try Running.run(["/usr/bin/python3", "-c", Self.script, path, "\(Self.size)"], environment)
        coverage = said.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        guard coverage.count == Self.size * Self.size else { throw CannotStart(program: "the drawing of \(path)") }
    }

    /// The part of a window that a drawing at this place is somewhere in.
    static func surroundings(of place: Reader.Place) -> Reader.Place {
        Reader.Place(
            left: place.left + (place.width - pictureSize) / 2, top: place.top + (place.height - pictureSize) / 2,
            width: pictureSize, height: pictureSize)
    }

    /// How much the pixels of such a part look like this drawing, from -1 to 1, wherever in the part it is: the correlation of what stands
    /// out from the ground with what is drawn.
    func likeness(to pixels: [UInt8]) -> Double {
        let ink = Self.ink(pixels)
        let places = (0...(2 * Self.margin)).flatMap { top in (0...(2 * Self.margin)).map { (top: top, left: $0) } }
        return places.map { place in
            let part = (0..<Self.size).flatMap { row in
                let first = (place.top + row) * Self.pictureSize + place.left
                return ink[first..<(first + Self.size)]
            }
            return Self.correlation(part, coverage)
        }.max() ?? -1
    }

    /// How far each pixel is from its line's first one: a button's ground has one colour in each line.
    private static func ink(_ pixels: [UInt8]) -> [Double] {
        (0..<pictureSize * pictureSize).map { index in
            let (pixel, ground) = (4 * index, 4 * (index - index % pictureSize))
            return (0..<3).reduce(0.0) { $0 + abs(Double(pixels[pixel + $1]) - Double(pixels[ground + $1])) }
        }
    }

    /// 0 where one of them is the same everywhere.
    private static func correlation(_ some: [Double], _ others: [Double]) -> Double {
        let (mean, otherMean) = (some.reduce(0, +) / Double(some.count), others.reduce(0, +) / Double(others.count))
        var (both, own, other) = (0.0, 0.0, 0.0)
        for (value, otherValue) in zip(some, others) {
            both += (value - mean) * (otherValue - otherMean)
            own += (value - mean) * (value - mean)
            other += (otherValue - otherMean) * (otherValue - otherMean)
        }
        return own > 0 && other > 0 ? both / (own * other).squareRoot() : 0
    }
}
