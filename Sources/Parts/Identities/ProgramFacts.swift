import CThumbLinux
import ThumbAccess
import ThumbPeers

/// What is known of a process, digests included.
struct ProgramFacts {
    var facts: PeerFacts
    /// The arguments of an interpreter.
    var arguments: [[UInt8]]?
    var script: ReaderMark.Script?

    var identity: ExactName? { ProgramIdentity.of(facts) }

    /// - Parameter digests: takes the digests; nil if none are needed.
    init(_ folder: borrowing ProcessFolder, for uid: UInt32, _ digests: FileDigests?) {
        facts = PeerFacts(file: nil, confinement: ProcessFacts.confinement(folder))
        guard let file = RunningFile.opened(folder) else { return }
        facts.file = file.file
        guard case .none = facts.confinement else { return }
        if file.file.place == .changeable, let digest = digests?.digest(of: file, for: uid) { facts.file?.digest = digest }
        guard ProgramWords(path: file.file.path).isInterpreter else { return }
        guard let words = folder.arguments() else {
            facts.run = .unknown
            return
        }
        arguments = words
        take(RunningScript.of(folder, words, by: file.file.path), for: uid, digests)
    }

    /// The facts of a program that isn't running yet.
    init(program: borrowing OpenFile, for uid: UInt32, _ digests: FileDigests) {
        facts = PeerFacts(file: program.file, confinement: .none)
        if program.file.place == .changeable { facts.file?.digest = digests.digest(of: program, for: uid) ?? [] }
    }

    /// Adds what the interpreter runs.
    mutating func take(_ running: consuming RunningScript, for uid: UInt32, _ digests: FileDigests?) {
        switch consume running {
        case .file(let file):
            var found = file.file
            if found.place == .changeable { found.digest = digests?.digest(of: file, for: uid) ?? [] }
            facts.run = .script(found)
            if let stamp = file.stamp() {
                script = ReaderMark.Script(path: found.path.text, stamp: stamp, isYoung: stamp.isYoung, digest: found.digest)
            }
        case .text(let text): facts.run = .text(digest: digests?.digest(ofText: text) ?? [])
        case .module(let name): facts.run = .module(name)
        case .interactive: facts.run = .interactive
        case .unknown: facts.run = .unknown
        }
    }

    /// The program as a prompt shows it.
    func words(_ process: Int32) -> ProgramWords { facts.words(process: UInt32(bitPattern: process)) }
}
