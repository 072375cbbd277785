import CThumbSystemd
import ThumbAccess
import ThumbLoop

@testable import ThumbBus
@testable import ThumbSensors

/// What fprintd answers and signals. The bus and libsystemd have checked a message's form by the time our code sees it, so an input
/// describes a message that has a form: what its values are, in which containers, and how deep.
enum BusTarget {
    static let target = FuzzTarget(
        "fprintd", longest: 400,
        sources: [
            "Sources/Parts/Bus/MessageReading.swift", "Sources/Parts/Bus/MessageWriting.swift#MessageCoding",
            "Sources/Parts/Bus/BusSignature.swift", "Sources/Parts/Bus/BusValue.swift#BusValue",
            "Sources/Parts/Sensors/FprintNames.swift",
        ],
        words: [
            "name", "scan-type", "swipe", "press", "num-enroll-stages", "finger-present", "finger-needed", "left-index-finger",
            "verify-match", "verify-retry-scan", "enroll-completed", "enroll-stage-passed",
        ],
        seeds: { seeds },
        parse: { input in
            let line = try BusLine()
            let message = try line.message()
            defer { sd_bus_message_unref(message) }
            var feed = ByteFeed(input)
            while !feed.isAtEnd { MessageForm.append(&feed, to: message) }
            // What libsystemd makes no message of, nobody is sent.
            guard sd_bus_message_seal(message, 1, 0) >= 0, let values = try read(message) else { return nil }
            try writeAgain(values, line)
            try readSecretly(message, values)
            return try understand(values)
        })

    private static func read(_ message: OpaquePointer) throws(Wrong) -> [BusValue]? {
        sd_bus_message_rewind(message, 1)
        let values = try accepted { () throws(BusError) -> [BusValue] in
            try MessageCoding.values(of: message, limit: BusLimit.values)
        } or: {
            $0.code == .malformed
        }
        guard let values else { return nil }
        try must(values.reduce(0) { $0 + count($1) } <= BusLimit.values, "a message has too many values")
        try must(values.allSatisfy { depth($0) <= BusLimit.depth }, "containers are too deep within one another")
        return values
    }

    private static func inner(_ value: BusValue) -> [BusValue] {
        switch value {
        case .array(let values), .structure(let values), .entry(let values): values
        case .variant(let value): [value]
        default: []
        }
    }

    private static func count(_ value: BusValue) -> Int { inner(value).reduce(1) { $0 + count($1) } }
    private static func depth(_ value: BusValue) -> Int { 1 + (inner(value).map(depth).max() ?? 0) }

    /// As a call with secrets: what was an array of bytes is a secret, and zeros are left of it in the message.
    private static func readSecretly(_ message: OpaquePointer, _ values: [BusValue]) throws {
        sd_bus_message_rewind(message, 1)
        var budget = ReadingBudget(values: BusLimit.values, bytes: BusLimit.argumentBytes, hasSecrets: true)
        let secret = try accepted { () throws(BusError) -> [BusValue] in
            try MessageCoding.values(of: message, &budget)
        } or: {
            $0.code == .malformed
        }
        guard let secret, let after = try read(message), secret.count == values.count else {
            throw Wrong("a message is read once and not again")
        }
        for case (.bytes(let bytes), (let secret, let after)) in zip(values, zip(secret, after)) {
            guard case .secret(let secret) = secret else { throw Wrong("bytes aren't read as a secret") }
            try must(secret.withUnsafeBytes { Array($0) } == bytes, "a secret has other bytes")
            try must(after == .bytes([UInt8](repeating: 0, count: bytes.count)), "a secret is left in its message")
        }
    }

    /// What our own calls may hold must be read as it was written.
    private static func writeAgain(_ values: [BusValue], _ line: borrowing BusLine) throws {
        let message = try line.message()
        defer { sd_bus_message_unref(message) }
        var written: [BusValue] = []
        for value in values {
            // A number that isn't one is unequal to itself.
            if case .double(let number) = value, number.isNaN { continue }
            // What stands half written in a message spoils the rest of it, so only what can be written is tried.
            guard isWritable(value) else { continue }
            _ = try accepted { () throws(BusError) -> Int in
                try MessageCoding.append(value, to: message)
                return 0
            } or: { _ in
                false
            }
            written.append(value)
        }
        try must(sd_bus_message_seal(message, 2, 0) >= 0, "a message that was written isn't sealed")
        try must(try read(message) == written, "values aren't read as they are written")
    }

    /// An empty array doesn't say what it is one of.
    private static func isWritable(_ value: BusValue) -> Bool {
        value.signatureText != nil && inner(value).allSatisfy(isWritable)
    }

    /// Reads the values as each of fprintd's answers and signals.
    private static func understand(_ values: [BusValue]) throws -> [UInt8]? {
        for value in values {
            let meanings = [value.text != nil, value.flag != nil, value.number != nil, value.list != nil]
            try must(meanings.count { $0 } <= 1, "a value is two things")
        }
        let fingers = [Finger](fprintNames: values.first)
        try must(fingers == fingers.sorted(), "fingers are out of order")
        try must(
            fingers.allSatisfy { Finger(fprintName: $0.fprintName) == $0 && !$0.templateName.isEmpty }, "a finger has two names")
        if let status = FprintStatus(values) {
            _ = VerifyStatus(status.name, isDone: status.isDone).isTouch
            _ = EnrollStatus(status.name, isDone: status.isDone)
            _ = FprintRefusal(BusError(.refused, name: status.name))
        }
        if let touch = FprintTouch(values) { try must(touch.isPresent != nil || touch.isNeeded != nil, "a touch says nothing") }
        let reader = try accepted { () throws(BusError) -> FprintReader in
            try FprintReader(path: "/reader", properties: values.first)
        } or: {
            $0.code == .malformed
        }
        guard let reader else { return nil }
        try must(reader.stages >= 1, "a reader has \(reader.stages) stages")
        return Array(reader.name.utf8)
    }

    // MARK: Seeds

    private static func text(_ form: UInt8, _ text: String) -> [UInt8] { [form, UInt8(text.utf8.count)] + Array(text.utf8) }

    private static var seeds: [[UInt8]] {
        let name = MessageForm.entry("name", text(9, "A reader"))
        let swipe = MessageForm.entry("scan-type", text(9, "swipe"))
        let stages = MessageForm.entry("num-enroll-stages", [4, 0, 0, 0, 5])
        let present = MessageForm.entry("finger-present", [1, 1])
        let (index, thumb) = (text(9, "left-index-finger").dropFirst(), text(9, "right-thumb").dropFirst())
        let fingers: [UInt8] = [13, 2] + index + thumb
        let statuses = [
            "verify-match", "verify-no-match", "verify-swipe-too-short", "verify-finger-not-centered", "verify-remove-and-retry",
            "verify-retry-scan", "verify-disconnected", "enroll-completed", "enroll-stage-passed", "enroll-swipe-too-short",
            "enroll-finger-not-centered", "enroll-remove-and-retry", "enroll-retry-scan", "enroll-data-full", "enroll-duplicate",
            "net.reactivated.Fprint.Error.AlreadyInUse", "net.reactivated.Fprint.Error.NoEnrolledPrints",
            "net.reactivated.Fprint.Error.NoSuchDevice", "net.reactivated.Fprint.Error.PermissionDenied",
        ]
        var seeds = statuses.map { text(9, $0) + [1, 1] }
        seeds.append([12, 3] + name + swipe + stages)
        let changed: [UInt8] = text(9, "net.reactivated.Fprint.Device") + [12, 1] + present
        seeds.append(changed + [13, 0])
        seeds.append(fingers)
        seeds.append([0, 1, 1, 0, 2, 0, 1, 3, 0, 1, 4, 0, 0, 0, 1, 5, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 0, 0, 1])
        seeds.append([7, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 1, 10, 3, 1, 2, 3, 11, 0, 1, 97, 14, 0, 1])
        seeds.append(text(15, "a") + text(16, "asv"))
        seeds.append([17, 2, 1, 97, 1, 98])
        seeds.append([11, 9, 0])
        return seeds
    }
}

/// One end of a socket that libsystemd takes for a bus. Nobody is at the other end: a message needs a bus to be made for, and no more.
private struct BusLine: ~Copyable {
    private let bus: OpaquePointer
    private let other: Int32

    init() throws {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let bus = made else { throw Wrong("libsystemd makes no bus") }
        let (own, other) = try UnixSocket.pair().get()
        guard sd_bus_set_fd(bus, own, own) >= 0, sd_bus_start(bus) >= 0 else {
            UnixSocket.close(other)
            sd_bus_close_unref(bus)
            throw Wrong("libsystemd takes no socket for a bus")
        }
        self.bus = bus
        self.other = other
    }

    deinit {
        sd_bus_close_unref(bus)
        UnixSocket.close(other)
    }

    func message() throws(Wrong) -> OpaquePointer {
        var made: OpaquePointer?
        let status = sd_bus_message_new_signal(bus, &made, "/reader", "net.reactivated.Fprint.Device", "VerifyStatus")
        guard status >= 0, let made else { throw Wrong("libsystemd makes no message: \(status)") }
        return made
    }
}

/// How an input describes values: a byte for the form, and what the form needs. What libsystemd refuses is left out.
private enum MessageForm {
    static func append(_ feed: inout ByteFeed, to message: OpaquePointer) {
        let form = feed.byte() % 18
        switch form {
        case 0: basic(message, "y", feed.byte())
        case 1: basic(message, "b", Int32(feed.byte() & 1))
        case 2: basic(message, "n", Int16(truncatingIfNeeded: feed.number(bytes: 2)))
        case 3: basic(message, "q", UInt16(truncatingIfNeeded: feed.number(bytes: 2)))
        case 4: basic(message, "i", Int32(truncatingIfNeeded: feed.number(bytes: 4)))
        case 5: basic(message, "u", UInt32(truncatingIfNeeded: feed.number(bytes: 4)))
        case 6: basic(message, "x", Int64(bitPattern: feed.number(bytes: 8)))
        case 7: basic(message, "t", feed.number(bytes: 8))
        case 8: basic(message, "d", Double(bitPattern: feed.number(bytes: 8)))
        case 9: sd_bus_message_append_basic(message, code("s"), text(&feed))
        case 10:
            let bytes = feed.bytes(Int(feed.byte()))
            _ = bytes.withUnsafeBytes { sd_bus_message_append_array(message, code("y"), $0.baseAddress, $0.count) }
        case 11:
            let depth = Int(feed.byte() % 12)
            variant(&feed, depth, message)
        case 12: dictionary(&feed, message)
        case 13: texts(&feed, message)
        case 15: sd_bus_message_append_basic(message, code("o"), path(&feed))
        case 16: sd_bus_message_append_basic(message, code("g"), signature(&feed))
        case 17: paths(&feed, message)
        default: structure(&feed, message)
        }
    }

    /// An entry of a dictionary: a name, and one basic value.
    static func entry(_ name: String, _ value: [UInt8]) -> [UInt8] { [UInt8(name.utf8.count)] + Array(name.utf8) + value }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: scalar)) }

    private static func basic<Number>(_ message: OpaquePointer, _ type: Unicode.Scalar, _ number: Number) {
        _ = withUnsafePointer(to: number) { sd_bus_message_append_basic(message, code(type), $0) }
    }

    // libsystemd refuses what isn't a text, a path or a signature in the middle of a message, and the message is of no use then.

    private static func text(_ feed: inout ByteFeed) -> String {
        var text = String.UnicodeScalarView()
        let decoded = String(decoding: feed.bytes(Int(feed.byte())), as: UTF8.self)
        for scalar in decoded.unicodeScalars where scalar.value != 0 && !scalar.properties.isNoncharacterCodePoint {
            text.append(scalar)
        }
        return String(text)
    }

    private static func path(_ feed: inout ByteFeed) -> String {
        let letters = feed.bytes(Int(feed.byte())).filter { (0x61...0x7a).contains($0) }
        return "/" + String(decoding: letters, as: UTF8.self)
    }

    private static func signature(_ feed: inout ByteFeed) -> String {
        let basic = Set("ybnqiuxtdsogv".utf8)
        return String(decoding: feed.bytes(Int(feed.byte())).filter { basic.contains($0) }, as: UTF8.self)
    }

    /// A text within so many variants.
    private static func variant(_ feed: inout ByteFeed, _ depth: Int, _ message: OpaquePointer) {
        let type = depth == 0 ? "s" : "v"
        guard sd_bus_message_open_container(message, code("v"), type) >= 0 else { return }
        if depth == 0 {
            sd_bus_message_append_basic(message, code("s"), text(&feed))
        } else {
            variant(&feed, depth - 1, message)
        }
        sd_bus_message_close_container(message)
    }

    private static func dictionary(_ feed: inout ByteFeed, _ message: OpaquePointer) {
        guard sd_bus_message_open_container(message, code("a"), "{sv}") >= 0 else { return }
        for _ in 0..<feed.byte() % 8 {
            guard sd_bus_message_open_container(message, code("e"), "sv") >= 0 else { break }
            sd_bus_message_append_basic(message, code("s"), text(&feed))
            value(&feed, message)
            sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
    }

    /// The variant of a dictionary's entry.
    private static func value(_ feed: inout ByteFeed, _ message: OpaquePointer) {
        let form = feed.byte()
        let type: String
        switch form {
        case 1: type = "b"
        case 4: type = "i"
        default: type = "s"
        }
        guard sd_bus_message_open_container(message, code("v"), type) >= 0 else { return }
        switch form {
        case 1: basic(message, "b", Int32(feed.byte() & 1))
        case 4: basic(message, "i", Int32(truncatingIfNeeded: feed.number(bytes: 4)))
        default: sd_bus_message_append_basic(message, code("s"), text(&feed))
        }
        sd_bus_message_close_container(message)
    }

    private static func texts(_ feed: inout ByteFeed, _ message: OpaquePointer) {
        guard sd_bus_message_open_container(message, code("a"), "s") >= 0 else { return }
        for _ in 0..<feed.byte() % 8 { sd_bus_message_append_basic(message, code("s"), text(&feed)) }
        sd_bus_message_close_container(message)
    }

    private static func paths(_ feed: inout ByteFeed, _ message: OpaquePointer) {
        guard sd_bus_message_open_container(message, code("a"), "o") >= 0 else { return }
        for _ in 0..<feed.byte() % 8 { sd_bus_message_append_basic(message, code("o"), path(&feed)) }
        sd_bus_message_close_container(message)
    }

    private static func structure(_ feed: inout ByteFeed, _ message: OpaquePointer) {
        guard sd_bus_message_open_container(message, code("r"), "yb") >= 0 else { return }
        basic(message, "y", feed.byte())
        basic(message, "b", Int32(feed.byte() & 1))
        sd_bus_message_close_container(message)
    }
}
