import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSystem

/// `thumbturn-companion`, which has the network that this program lacks. It says in lines what becomes of a pairing.
enum PairingProgram {
    private static let name = "thumbturn-companion"

    /// Runs it with those words, and returns the other machine's name.
    static func run(_ words: [String], to host: String?) throws(Failure) -> String {
        guard let program = Installed.program(name) else { throw .programMissing(name, code: "noCompanion") }
        let lines: [String]
        do throws(SystemError) {
            let pipe = try PipeEnds()
            let child = try Spawn(
                program, [name] + words, environment: .own, descriptors: .only([0, pipe.writing.number, 2])
            ).start()
            lines = try said(by: pipe.takenReading())
            _ = child.wait()
        } catch {
            throw .companionFailed
        }
        guard let last = lines.last else { throw .companionFailed }
        let parts = last.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("paired", 2): return parts[1]
        case ("failed", 2):
            guard let failure = UInt8(parts[1]).flatMap(KeychainFailure.init(rawValue:)) else { throw .companionFailed }
            throw Self.failure(failure)
        case ("unreachable", 1): throw .companionUnreachable(host ?? "")
        case ("left", 1): throw .companionLeft
        case ("taken", 1): throw .companionPortTaken
        default: throw .companionFailed
        }
    }

    /// Its lines. What only says that it waits is told at once.
    private static func said(by output: consuming Descriptor) throws(SystemError) -> [String] {
        var (lines, rest): ([String], [UInt8]) = ([], [])
        while true {
            let more = try Transfer.bytes(from: output.number, count: 1)
            guard let byte = more.first else { return lines }
            guard byte == 0x0a else {
                rest.append(byte)
                continue
            }
            let line = SafeText(String(decoding: rest, as: UTF8.self)).description
            rest = []
            if line == "waiting" { Output.say(Notice.companionWaits.text) } else { lines.append(line) }
        }
    }

    private static func failure(_ failure: KeychainFailure) -> Failure {
        switch failure {
        case .agreementFailed: .companionDisagrees
        case .duplicateItem: .companionExists
        case .quotaReached: .companionsFull
        case .userCanceled: .cancelled
        case .interactionNotAllowed: .companionLeft
        default: Failure(changing: .companions, failure)
        }
    }
}
