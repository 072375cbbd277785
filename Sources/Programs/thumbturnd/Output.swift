import ThumbSystem

/// Lines to the terminal, without a C stream in between.
enum Output {
    static func error(_ text: String) { write(text + "\n", to: 2) }

    static func write(_ text: String, to fd: Int32) { Transfer.say(text, to: fd) }
}
