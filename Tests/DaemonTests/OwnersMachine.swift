import CThumbLinux
import Foundation
import thumbturn_test_programs
import thumbturn_test_tpm

/// A network of a test's own, with a host name of its own: what runs in it reaches no other. Takes root.
final class Network {
    private let holder: Program

    init(_ name: String) throws {
        let script = "hostname \(name) && ip link set lo up && echo ready && exec cat"
        holder = try Program(
            ["/usr/bin/unshare", "--net", "--uts", "/bin/sh", "-c", script], environment: Self.environment)
        guard try holder.line() == "ready" else { throw CannotStart(program: "a network namespace") }
    }

    fileprivate static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    var pid: pid_t { holder.pid }

    /// The words that run a program in it.
    func entering(_ words: [String]) -> [String] { ["/usr/bin/nsenter", "--net", "--uts", "--target", "\(pid)"] + words }

    /// Root's own doing in it; what was said there.
    @discardableResult
    func run(_ script: String, status: Int32 = 0) throws -> String {
        let program = try Program(entering(["/bin/bash", "-c", script]), environment: Self.environment)
        while try program.line() != nil {}
        guard program.status() == status else { throw Program.TookTooLong(output: program.said) }
        return program.said
    }

    /// Joins two networks by a wire.
    static func join(_ one: (Network, port: String), _ other: (Network, port: String)) throws {
        try one.0.run(
            "ip link add name \(one.port) type veth peer name \(other.port) netns \(other.0.pid) && ip link set \(one.port) up")
        try other.0.run("ip link set \(other.port) up")
    }

    /// One of this network's counters, as the kernel keeps them.
    func count(_ name: String) throws -> Int {
        let lines = try run("cat /proc/net/snmp /proc/net/netstat").split(whereSeparator: \.isNewline)
        // A line of names, and one of numbers.
        for (names, numbers) in zip(lines, lines.dropFirst()) {
            guard let place = names.split(separator: " ").firstIndex(of: name[...]) else { continue }
            let numbers = numbers.split(separator: " ")
            if place < numbers.count, let count = Int(numbers[place]) { return count }
        }
        throw CannotStart(program: "the counter \(name)")
    }

    /// Waits until a counter is higher than that.
    func awaitMore(_ name: String, than before: Int) throws {
        for _ in 0..<600 {
            if try count(name) > before { return }
            usleep(100_000)
        }
        throw CannotStart(program: "more than \(before) of \(name)")
    }
}

/// One machine of the owner's: a network, a TPM, a daemon whose passcode is set, and a carrier. Takes root.
final class OwnersMachine {
    let name: String
    let address: String
    let network: Network
    let daemon: Program
    private(set) var carrier: Program?
    private let home: Home
    private let tpm: SoftwareTPM

    static let passcode = "staple-7731-battery"

    /// - Parameter isSeated: whether its owner counts as sitting at it. Otherwise nobody does: its terminals are on no screen.
    init(_ name: String, address: String, isSeated: Bool = true) throws {
        (self.name, self.address) = (name, address)
        network = try Network(name)
        home = try Home()
        tpm = try SoftwareTPM()
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/run/thumbturn", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let ready = try makePipe()
        defer { close(ready.reading) }
        let words = [
            Home.program("thumbturnd"), "--serve", "--socket", home.socket, "--state", home.state.path, "--idle", "0", "--bus",
            "none", "--tpm", "swtpm:\(tpm.socket)", "--ready-fd", "3",
        ]
        let seat = isSeated ? ["--seat", "open"] : []
        do {
            defer { close(ready.writing) }
            daemon = try Program(network.entering(words + seat), environment: home.environment, inherited: ready.writing)
        }
        var byte: UInt8 = 0
        guard read(ready.reading, &byte, 1) == 1 else { throw CannotStart(program: "thumbturnd") }
        let setting = try start(["thumbturn", "passcode", "set"])
        for field in ["New passcode: ", "Again: "] { try Self.type(Self.passcode, at: field, setting) }
        guard try Self.ended(setting).status == 0 else { throw Program.TookTooLong(output: setting.said) }
    }

    /// A program of this build's on this machine.
    func start(_ words: [String], in place: Program.Place = .terminal) throws -> Program {
        try Program(
            network.entering([Home.program(words[0])] + words.dropFirst()), environment: home.environment, in: place)
    }

    /// Types where the terminal asks for it.
    static func type(_ text: String, at field: String, _ program: Program) throws {
        guard try program.wait(for: field) else { throw Program.TookTooLong(output: program.said) }
        program.type(text + "\r")
    }

    static func typePasscode(_ program: Program) throws { try type(passcode, at: "Passcode: ", program) }

    /// What a program has said when it has ended, and its exit status.
    static func ended(_ program: Program) throws -> Ending {
        while try program.line() != nil {}
        return Ending(said: program.said, status: program.status())
    }

    struct Ending: Sendable {
        let said: String
        let status: Int32
    }

    // MARK: Carrying

    /// Starts the carrier. Its terminal is where this machine's owner is asked.
    func carry() throws { carrier = try start(["thumbturn-companion"]) }

    /// Ends the carrier as a crash does.
    func loseCarrier() {
        carrier?.end(SIGKILL)
        carrier = nil
    }

    /// The prompt that another machine's question brings, up to its field.
    func isAsked() throws -> String {
        guard let carrier else { throw CannotStart(program: "a carrier") }
        let before = carrier.said.count
        guard try carrier.wait(for: "Passcode: ") else { throw Program.TookTooLong(output: carrier.said) }
        return String(carrier.said.dropFirst(before))
    }

    /// Waits until the one paired machine is near, or isn't.
    func awaitCompanion(isNear: Bool) throws {
        for _ in 0..<600 {
            let list = try Self.ended(start(["thumbturn", "companion", "list", "--json"], in: .pipes))
            if list.status == 0, list.said.contains("\"near\": \(isNear)") { return }
            usleep(100_000)
        }
        throw Program.TookTooLong(output: "no companion is near: \(!isNear)")
    }

    // MARK: Asking

    static let reason = "open the vault"

    /// Asks for a yes at a companion.
    func ask(_ reason: String = reason) throws -> Program {
        try start(["thumbturn", "verify", "--companion", "--reason", reason])
    }

    /// Removes a pairing, as the owner does.
    func remove(_ other: String) throws -> Ending {
        let removing = try start(["thumbturn", "companion", "remove", other])
        try Self.typePasscode(removing)
        return try Self.ended(removing)
    }

    /// Puts the whole machine to sleep, or wakes it.
    func sleep(_ sleeps: Bool) {
        for pid in [daemon.pid] + (carrier.map { [$0.pid] } ?? []) { kill(pid, sleeps ? SIGSTOP : SIGCONT) }
    }
}

/// A desk that asks and a laptop that says yes, on one wire, with a carrier each. The owner has paired them.
final class OwnersMachines {
    let desk: OwnersMachine
    let laptop: OwnersMachine
    /// What the two terminals said while they were paired.
    let pairing: (desk: OwnersMachine.Ending, laptop: OwnersMachine.Ending)
    private var router: Network?
    /// Somebody on the wire, who passes on what crosses, keeps it, and does with it as a test says.
    private let relay: Program?

    /// - Parameters:
    ///   - isRelayed: whether somebody is on the wire between the two.
    ///   - isSeated: whether the owner sits at the desk, where its programs ask.
    init(isRelayed: Bool = false, isSeated: Bool = true) throws {
        desk = try OwnersMachine("desk", address: "10.77.1.1", isSeated: isSeated)
        laptop = try OwnersMachine("laptop", address: "10.77.2.1")
        try Self.near(desk, laptop)
        let waiting = try laptop.start(["thumbturn", "companion", "wait"])
        guard try waiting.wait(for: "Waiting.") else { throw Program.TookTooLong(output: waiting.said) }
        relay = isRelayed ? try Self.relay(desk, laptop) : nil
        let place = isRelayed ? ["127.0.0.1", "--port", "\(Self.relayPort)"] : [laptop.address]
        let pairs = try desk.start(["thumbturn", "companion", "pair"] + place)
        for one in [pairs, waiting] { try OwnersMachine.typePasscode(one) }
        pairing = (try OwnersMachine.ended(pairs), try OwnersMachine.ended(waiting))
        guard pairing.desk.status == 0, pairing.laptop.status == 0 else {
            throw Program.TookTooLong(output: pairing.desk.said + pairing.laptop.said)
        }
        try laptop.carry()
        try desk.carry()
        for machine in [desk, laptop] { try machine.awaitCompanion(isNear: true) }
    }

    /// One wire joins the two.
    private static func near(_ one: OwnersMachine, _ other: OwnersMachine) throws {
        try Network.join((one.network, "eth0"), (other.network, "eth0"))
        for machine in [one, other] { try machine.network.run("ip addr add \(machine.address)/16 dev eth0") }
    }

    private static let relayPort = 9000

    private static func relay(_ desk: OwnersMachine, _ laptop: OwnersMachine) throws -> Program {
        let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/relay.py"
        let words = ["/usr/bin/python3", script, "\(relayPort)", laptop.address, "8876"]
        let relay = try Program(desk.network.entering(words), environment: Network.environment)
        guard try relay.line() == "ready" else { throw CannotStart(program: "relay.py") }
        return relay
    }

    /// Has whoever is on the wire do something, and returns how much of what crossed it was done with.
    func relay(_ word: String) throws -> Int {
        relay?.type(word + "\n")
        guard let said = try relay?.line()?.split(separator: " "), said.count == 2, said[0] == word, let count = Int(said[1])
        else { throw CannotStart(program: word) }
        return count
    }

    /// Takes the wire away.
    private func unplug() throws {
        for machine in [desk, laptop] { try machine.network.run("ip link del eth0 2>/dev/null || true") }
        router = nil
    }

    /// Joins the two through a router, which forwards everything.
    func goFar() throws {
        try unplug()
        let router = try Network("router")
        try router.run("echo 1 >/proc/sys/net/ipv4/ip_forward")
        for machine in [desk, laptop] {
            let gateway = machine.address.dropLast() + "254"
            try Network.join((machine.network, "eth0"), (router, machine.name))
            try router.run("ip addr add \(gateway)/24 dev \(machine.name)")
            try machine.network.run("ip addr add \(machine.address)/24 dev eth0 && ip route add default via \(gateway)")
        }
        self.router = router
    }

    /// Joins them by one wire again.
    func comeBack() throws {
        try unplug()
        try Self.near(desk, laptop)
    }

    /// The desk asks, and the owner types at the laptop; what both terminals said.
    func answer(_ keys: String) throws -> (desk: OwnersMachine.Ending, laptop: String) {
        let asking = try desk.ask()
        let shown = try laptop.isAsked()
        laptop.carrier?.type(keys)
        return (try OwnersMachine.ended(asking), shown)
    }

    /// The desk asks, and nobody answers.
    func askInVain() throws -> OwnersMachine.Ending { try OwnersMachine.ended(desk.ask()) }
}
