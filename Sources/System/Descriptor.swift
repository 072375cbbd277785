public import CThumbLinux

/// A descriptor that belongs to whoever has this value. It is closed once, when the value ends. No program that this one starts or becomes
/// gets it unless it is passed on explicitly.
public struct Descriptor: ~Copyable, Sendable {
    /// Its number, for calls while this value exists.
    public let number: Int32

    /// Takes over a descriptor that nobody else closes.
    public init(owning number: Int32) { self.number = number }

    /// Opens a file.
    public init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
        try self.init(opening: path, in: AT_FDCWD, flags, mode: mode)
    }

    /// Opens a file by its name in an open folder.
    public init(opening name: String, in folder: Int32, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
        let number = uninterrupted { unsafe thumb_openat(folder, name, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .last }
        self.number = number
    }

    deinit { close(number) }

    /// Hands the descriptor over to somebody who closes it.
    public consuming func released() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// What kind of file it is, whom it belongs to, and how large it is.
    public func status() throws(SystemError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return status
    }
}

/// Both ends of a new pipe. An end that isn't taken out is closed.
public struct PipeEnds: ~Copyable, Sendable {
    /// The end that bytes come out of.
    public let reading: Descriptor
    /// The end that bytes go into.
    public let writing: Descriptor

    /// Makes a pipe.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw .last }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Takes the reading end and closes the other. Reading ends once every other writer is gone.
    public consuming func takenReading() -> Descriptor { reading }

    /// Takes the writing end and closes the other. Reading elsewhere ends once this writer is gone.
    public consuming func takenWriting() -> Descriptor { writing }
}
