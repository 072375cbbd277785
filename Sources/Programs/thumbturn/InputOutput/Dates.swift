import CThumbLinux

/// The keychain's dates, in seconds since the beginning of 2001, in forms for people and programs.
enum Dates {
    /// Seconds between the epoch of Unix and that of the keychain.
    private static let between = 978_307_200.0
    /// Enough room for each of the forms below, even in the distant future.
    private static let roomBytes = 64

    /// `2026-07-01 14:03`, in this machine's time zone; empty for a date beyond all calendars.
    static func local(_ date: Double) -> String {
        var parts = unsafe tm()
        guard var seconds = seconds(date), unsafe localtime_r(&seconds, &parts) != nil else { return "" }
        return unsafe written(&parts, "%Y-%m-%d %H:%M")
    }

    /// `2026-07-01T12:03:00Z`.
    static func universal(_ date: Double) -> String {
        var parts = unsafe tm()
        guard var seconds = seconds(date), unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        return unsafe written(&parts, "%Y-%m-%dT%H:%M:%SZ")
    }

    private static func seconds(_ date: Double) -> time_t? { time_t(exactly: (date + between).rounded(.down)) }

    private static func written(_ parts: inout tm, _ form: String) -> String {
        var room = [UInt8](repeating: 0, count: roomBytes)
        let count = unsafe room.withUnsafeMutableBytes {
            unsafe strftime($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count, form, &parts)
        }
        return String(decoding: room.prefix(count), as: UTF8.self)
    }
}
