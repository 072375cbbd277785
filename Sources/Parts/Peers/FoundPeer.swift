import CThumbLinux
public import ThumbAccess
import ThumbLoop

/// A program that connected, and the contents that its digests are to be taken of.
public struct FoundPeer {
    /// What is known of it; digests are empty.
    public let facts: PeerFacts
    /// The contents that count.
    public let contents: PeerContents

    init(_ folder: borrowing ProcessFolder, uid: UInt32) {
        contents = PeerContents()
        facts = Self.facts(folder, uid: uid, contents)
    }

    private static func facts(_ folder: borrowing ProcessFolder, uid: UInt32, _ contents: PeerContents) -> PeerFacts {
        var facts = PeerFacts(file: nil, confinement: ProcessFacts.confinement(folder))
        guard let file = RunningFile.opened(folder) else {
            return facts
        }
        facts.file = file.file
        guard case .none = facts.confinement, ProgramWords(path: file.file.path).isInterpreter else {
            return facts
        }
        if file.file.place == .changeable { contents.put(.program, file.contents(for: uid)) }
        guard let words = folder.arguments() else {
            facts.run = .unknown
            return facts
        }
        switch RunningScript.of(folder, words, by: file.file.path) {
        case .file(let script):
            facts.run = .script(script.file)
            if script.file.place == .changeable { contents.put(.run, script.contents(for: uid)) }
        case .text(let text):
            facts.run = .text(digest: [])
            contents.put(.run, held(text))
        case .module(let name): facts.run = .module(name)
        case .interactive: facts.run = .interactive
        case .unknown: facts.run = .unknown
        }
        return facts
    }

    /// A text as a file in memory; nil if there is no room.
    private static func held(_ text: [UInt8]) -> Int32? {
        let file = unsafe thumb_memfd_create("thumbturn-text", thumb_MFD_CLOEXEC)
        guard file >= 0 else { return nil }
        let count = unsafe text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard count == text.count else {
            UnixSocket.close(file)
            return nil
        }
        return file
    }
}

/// Open files whose contents tell which program it is. What nobody takes is closed.
public final class PeerContents {
    private var descriptors: [PeerFacts.Part: Int32] = [:]

    /// Without any.
    public init() {}

    deinit { for descriptor in descriptors.values { UnixSocket.close(descriptor) } }

    /// Keeps a descriptor; false, and it is closed, if there is one for that part.
    @discardableResult public func put(_ part: PeerFacts.Part, _ descriptor: Int32?) -> Bool {
        guard let descriptor else { return true }
        guard descriptors[part] == nil else {
            UnixSocket.close(descriptor)
            return false
        }
        descriptors[part] = descriptor
        return true
    }

    /// The descriptor, which stays this object's.
    public func descriptor(of part: PeerFacts.Part) -> Int32? { descriptors[part] }

    /// Hands out one of the descriptors, which is the caller's then; nil once there is none.
    public func next() -> (part: PeerFacts.Part, descriptor: Int32)? {
        guard let part = descriptors.keys.min(by: { $0.rawValue < $1.rawValue }),
            let descriptor = descriptors.removeValue(forKey: part)
        else { return nil }
        return (part, descriptor)
    }
}
