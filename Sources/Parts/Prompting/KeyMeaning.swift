/// What a key does in a window's passcode field, according to its number in X and Wayland.
public enum KeyMeaning: Sendable, Hashable {
    case character(Unicode.Scalar)
    /// Begins a character of several keys: an accent, or the compose key.
    case composing
    case removeLast
    case clear
    case enter
    case cancel
    /// Moves the focus, or belongs to another part of the window.
    case other

    /// - Parameters:
    ///   - key: the key's number (a keysym).
    ///   - character: the character it stands for; 0 for none.
    ///   - isCommand: whether Control, Alt or Super is held, so that it isn't text.
    ///   - isControl: whether it is Control.
    public init(key: UInt32, character: UInt32, isCommand: Bool, isControl: Bool) {
        switch key {
        case 0xff1b: self = .cancel
        case 0xff0d, 0xff8d: self = .enter
        case 0xff08: self = .removeLast
        case 0x75 where isControl, 0x55 where isControl: self = .clear
        case 0xfe50...0xfe93, 0xff20: self = .composing
        default:
            guard !isCommand, character >= 0x20, character != 0x7f, let scalar = Unicode.Scalar(character) else {
                self = .other
                return
            }
            self = .character(scalar)
        }
    }
}
