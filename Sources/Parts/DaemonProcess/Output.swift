import ThumbSystem

/// Lines for the terminal, without a C stream in between.
public enum Output {
    /// A line on standard error.
    public static func error(_ text: String) { write(text + "\n", to: 2) }

    /// A text, to a descriptor.
    public static func write(_ text: String, to fd: Int32) { Transfer.say(text, to: fd) }
}
