public import CThumbLinux

/// A descriptor that belongs to whoever has this value. It is closed once, at the value's end, and no program that this one starts or
/// becomes has it unless it is handed on.
public struct Descriptor: ~Copyable, Sendable {
    /// Its number, for calls to make with it while this value is there.
    public let number: Int32

    /// Takes on a descriptor that nobody else closes.
    public init(owning number: Int32) { self.number = number }

    /// Opens a file.
    public init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
        try self.init(opening: path, in: AT_FDCWD, flags, mode: mode)
    }

    /// Opens a file by its name in a folder that is open already.
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

    /// What kind of file it is, whose, and how large.
    public func status() throws(SystemError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return status
    }
}

/// Both ends of a new pipe. What isn't taken out of it is closed.
public struct PipeEnds: ~Copyable, Sendable {
    /// Where bytes come out.
    public let reading: Descriptor
    /// Where they go in.
    public let writing: Descriptor

    /// Makes a pipe.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw .last }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Closes the other end: whoever reads then comes to an end when every other writer has.
    public consuming func takenReading() -> Descriptor { reading }

    /// Closes the other end: whoever reads elsewhere comes to an end with this one.
    public consuming func takenWriting() -> Descriptor { writing }
}
