import Foundation
import ThumbAccess
import ThumbClient
import ThumbIdentities
import ThumbSecrets

// `thumbturn-test-kept PROCESS <FIXTURE` puts kept items and collections into the device, in the form of
// docs/contributors/secret-service.md, as if the program that is PROCESS had made them. For the device of a judge of the Secret Service.
//
//   collection NAME LABEL ALIAS…
//   item COLLECTION NAME LABEL SECRET ATTRIBUTE=VALUE…
//
// A line each, with tabs between the fields. Other lines mean nothing here.

func stop(_ why: String) -> Never {
    FileHandle.standardError.write(Data("thumbturn-test-kept: \(why)\n".utf8))
    exit(1)
}

/// Each text after its length, as the kept form has it.
func lined(_ texts: [String]) -> [UInt8] {
    texts.flatMap { text in
        let count = UInt32(text.utf8.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(text.utf8)
    }
}

func keep(_ attributes: Attributes, _ secret: String) throws {
    let new = NewItem(
        itemClass: .genericPassword, attributes: attributes, rule: AccessRule(.afterFirstUnlock),
        secret: try SecretBytes(copying: Array(secret.utf8)))
    _ = try DeviceClient.shared.add(new)
}

guard let pid = CommandLine.arguments.dropFirst().first.flatMap({ Int32($0) }) else { stop("says no process") }
guard let maker = ReaderFacts().of(pid: pid, uid: getuid(), groups: [])?.reader.identity else { stop("\(pid) has no identity") }
while let line = readLine() {
    let fields = line.components(separatedBy: "\t")
    do {
        switch fields.first {
        case "collection":
            try keep(
                [
                    .service: .text("collection"), .account: .text(fields[1]), .label: .text(fields[2]),
                    .generic: .data(lined(Array(fields.dropFirst(3)))),
                ], "")
        case "item":
            let attributes = fields.dropFirst(5).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
                .sorted { $0[0].utf8.lexicographicallyPrecedes($1[0].utf8) }
            try keep(
                [
                    .service: .text("item in \(fields[1])"), .account: .text(fields[2]), .label: .text(fields[3]),
                    .comment: .text(maker.text), .description: .text("text/plain"),
                    .generic: .data(lined(attributes.flatMap { $0 })),
                ], fields[4])
        default: break
        }
    } catch {
        stop("\(line): \(error)")
    }
}
