import CThumbLinux

/// The signal for writing to a pipe that nobody reads any more. This program ignores it and looks at each write instead.
enum PipeSignal {
    /// Whether the program that started this one ignores it, as every program that this one starts then does too.
    private static let wasIgnored = thumb_ignores_signal(SIGPIPE) != 0

    static func ignore() { if !wasIgnored { thumb_ignore_signal(SIGPIPE) } }

    /// Call it before another program takes over.
    static func treatAsBefore() { if !wasIgnored { thumb_default_signal(SIGPIPE) } }
}
