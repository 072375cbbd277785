import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite("Attacks on the system's daemon", .enabled(if: getuid() == 0, "takes root and two users"), .timeLimit(.minutes(5)))
struct SystemAttackTests {
    @Test("two users at once have each their own items, whatever one knows of the other's")
    func apart() async throws {
        let (adas, eves, counts, again, owners) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let (ada, eve) = (try machine.speaker(machine.ada), try machine.speaker(machine.eve))
            let adas = try ["add bank adas-secret", "add only adas-other", "in - reference only", "owner"].map(ada.say)
            // The same names, another's reference, and another's group: her own store is all she can ask.
            var eves = try ["add bank eves-secret", "read bank", "read only"].map(eve.say)
            let reference = adas[2].split(separator: " ").last.map(String.init) ?? ""
            eves.append(try eve.say("by \(reference) read"))
            eves.append(try eve.say("by \(reference) remove"))
            eves.append(try eve.say("owner"))
            let counts = [try ada.say("items"), try eve.say("items")]
            return (adas, eves, counts, try ["read bank", "read only"].map(ada.say) + [reference], [machine.ada, machine.eve])
        }
        #expect(adas[0] == "added bank" && eves[0] == "added bank" && eves[1] == "secret eves-secret")
        #expect(again[0] == "secret adas-secret" && again[1] == "secret adas-other" && !again[2].isEmpty)
        #expect(eves[2] == "failed itemNotFound" && eves[3] == "failed itemNotFound" && eves[4] == "failed itemNotFound")
        #expect(counts == ["items 2", "items 1"])
        // The audit of each names that user, and no other.
        #expect(adas[3].hasPrefix("owner \(owners[0])") && eves[5].hasPrefix("owner \(owners[1])"))
        for (deed, answer) in zip(["read by its name", "read by its reference", "removed by its reference"], eves[2...4]) {
            Tally.check("another user's item is \(deed)", succeeded: answer != "failed itemNotFound")
        }
    }

    @Test("eight users at once, each with an item after the other: each finds their own and nobody else's")
    func crowd() async throws {
        let (users, each) = (8, 25)
        let (ends, counts, secrets) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let speakers = try (0..<users).map { try machine.speaker(machine.ada + 1000 + UInt32($0)) }
            for speaker in speakers { try speaker.tell("stream item \(each)") }
            var ends: [String] = []
            for speaker in speakers {
                var answer = try speaker.answer()
                while answer.hasPrefix("added ") { answer = try speaker.answer() }
                ends.append(answer)
            }
            let counts = try speakers.map { try $0.say("items") }
            return (ends, counts, try speakers.map { try $0.say("read item\(each - 1)") })
        }
        #expect(ends == Array(repeating: "all added", count: users))
        #expect(counts == Array(repeating: "items \(each)", count: users))
        #expect(secrets == Array(repeating: "secret secret \(each - 1)", count: users))
    }

    @Test("an old copy of a store isn't put back by its user, by whichever way she tries, the daemon running or not")
    func oldCopy() async throws {
        let (ways, attempts, read, controls) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let eve = machine.eve
            _ = try machine.speaker(eve).say("in - add bank first")
            machine.stop()
            let store = "/var/lib/thumbturn/\(eve)"
            // She has one, by whatever way: from a backup of the machine, say.
            try machine.inside("cp -r \(store) /run/old && chown -R \(eve):\(eve) /run/old && install -d -o \(eve) /run/eve")
            try machine.serve()
            _ = try machine.speaker(eve).say("in - update bank second")
            let daemon = "\(machine.programs.path)/thumbturnd --bus none --tpm none --idle 1"
            let ways = [
                "cp -rf /run/old/. \(store)/", "mv \(store) /run/eve/aside", "rm -rf \(store)",
                "ln -sfn /run/old \(store)", "ln -sf /run/old/keybag \(store)/keybag",
                "mount --bind /run/old \(store)", "unshare -r -m mount --bind /run/old \(store)",
                "mv -f /run/old /var/lib/thumbturn/",
                "timeout 60 \(daemon) --device \(eve) --front-fd 3 --state /run/old 3</dev/null",
                "timeout 60 \(daemon) --recover --state \(store)",
                "timeout 60 \(daemon) --accept-losses --state \(store)",
                "timeout 60 \(daemon) --serve --state /run/old --socket /run/thumbturn/socket",
            ]
            var attempts = try ways.map { try machine.attempt($0, as: eve) }
            machine.stop()
            attempts += try ways.map { try machine.attempt($0, as: eve) }
            try machine.serve()
            let read = try machine.speaker(eve).say("read bank")
            machine.stop()
            // Root can, without a TPM: the copy is a real one.
            try machine.inside("chown -R 0:0 /run/old && rm -r \(store) && mv /run/old \(store)")
            try machine.serve()
            // Under which name each way is known: no folder of this run's stands in it.
            let names = [true, false].flatMap { isRunning in
                ways.map { $0.replacing(machine.programs.path + "/", with: "") + (isRunning ? "" : ", the daemon stopped") }
            }
            return (names, attempts, read, try machine.speaker(eve).say("read bank"))
        }
        #expect(attempts.allSatisfy { $0 != 0 }, "\(attempts)")
        #expect(read == "secret second" && controls == "secret first")
        for (way, status) in zip(ways, attempts) {
            Tally.check("a user puts an old copy of a store back by \(way)", succeeded: status == 0)
        }
        Tally.check("a user's old copy of a store is read", succeeded: read != "secret second")
    }

    @Test("a user can't trace the system's daemon, read its memory, or come at a store, her own included")
    func outOfReach() async throws {
        let ways = ["attach", "memory", "maps", "environment", "read", "descriptor"]
        let deeds = ["reads a keybag", "lists the stores", "makes a file beside the socket", "removes the socket"]
        let (outcomes, reads, modes) = try await onThread {
            let machine = try SystemMachine()
            let daemon = try machine.serve()
            let eve = try machine.speaker(machine.eve)
            _ = try eve.say("add bank eves-secret")
            let processes = ["the front": daemon.pid, "her own device": try #require(machine.device(of: machine.eve))]
            let outcomes = try processes.mapValues { pid in
                try ways.map { try machine.attack("\($0) \(pid)", as: machine.eve) }
            }
            let reads = try [
                "cat /var/lib/thumbturn/\(machine.eve)/keybag", "ls /var/lib/thumbturn",
                "touch /run/thumbturn/new", "rm -f /run/thumbturn/socket",
            ].map { try machine.attempt($0, as: machine.eve) }
            let modes = try machine.attempt(
                """
                test "$(stat -c %a:%u /run/thumbturn /run/thumbturn/socket /var/lib/thumbturn /var/lib/thumbturn/\(machine.eve) | \
                tr '\\n' ' ')" = "755:0 666:0 700:0 700:0 "
                """)
            return (outcomes, reads, modes)
        }
        #expect(outcomes.count == 2 && outcomes.values.allSatisfy { $0.allSatisfy { $0 == .failed } }, "\(outcomes)")
        #expect(reads.allSatisfy { $0 != 0 }, "\(reads)")
        #expect(modes == 0)
        for (process, outcomes) in outcomes {
            for (way, outcome) in zip(ways, outcomes) {
                Tally.check("a user looks into \(process) of system mode by way of \(way)", succeeded: outcome != .failed)
            }
        }
        for (deed, status) in zip(deeds, reads) { Tally.check("a user \(deed) of the system's daemon", succeeded: status == 0) }
    }

    @Test("a user's store that is broken, or that she holds up, is hers alone")
    func oneBroken() async throws {
        let (broken, other, mended) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve(["--idle", "600"])
            _ = try machine.speaker(machine.eve).say("add bank eves-secret")
            machine.stop()
            try machine.inside("mv /var/lib/thumbturn/\(machine.eve)/keybag /run/kept")
            try machine.serve(["--idle", "600"])
            let broken = try machine.speaker(machine.eve).say("read bank")
            let other = try machine.speaker(machine.ada).say("add bank adas-secret")
            try machine.inside("mv /run/kept /var/lib/thumbturn/\(machine.eve)/keybag")
            // Tried again, though not at every word: her next ones come until the answer is another.
            var mended = broken
            for _ in 0..<1200 where mended == broken {
                usleep(50_000)
                mended = try machine.speaker(machine.eve).say("read bank")
            }
            return (broken, other, mended)
        }
        #expect(broken == "failed storeUnavailable")
        #expect(other == "added bank")
        #expect(mended == "secret eves-secret")
    }

    @Test("a number that a user has for the inside of a container gets no device, and leaves nothing on the disk")
    func container() async throws {
        let (refused, served, isThere, stores) = try await onThread {
            let machine = try SystemMachine()
            try machine.inside("echo ada:\(machine.eve):1 >/etc/subuid")
            try machine.serve()
            let refused = try machine.speaker(machine.eve).say("add bank eves-secret")
            let ada = try machine.speaker(machine.ada)
            let served = try ada.say("add bank adas-secret")
            let isThere = machine.device(of: machine.eve) != nil
            let stores = try [machine.eve, machine.ada].map { try machine.attempt("test -d /var/lib/thumbturn/\($0)") }
            return (refused, served, isThere, stores)
        }
        #expect(refused == "failed storeUnavailable" && served == "added bank")
        #expect(!isThere && stores == [1, 0])
    }

    @Test("a device that nobody uses ends, while another user's goes on")
    func idle() async throws {
        let (added, closed, open, again) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve(["--idle", "5"])
            let (ada, eve) = (try machine.speaker(machine.ada), try machine.speaker(machine.eve))
            let added = [try ada.say("add bank adas-secret"), try eve.say("add bank eves-secret")]
            // Hers is used until it was seen.
            let wereThere = withExtendedLifetime(eve) {
                machine.device(of: machine.eve) != nil && machine.device(of: machine.ada) != nil
            }
            eve.leave()
            for _ in 0..<1200 where machine.device(of: machine.eve) != nil { usleep(50_000) }
            let (closed, open) = (wereThere && machine.device(of: machine.eve) == nil, machine.device(of: machine.ada) != nil)
            return (added, closed, open, [try ada.say("read bank"), try machine.speaker(machine.eve).say("read bank")])
        }
        #expect(added == ["added bank", "added bank"])
        #expect(closed && open)
        #expect(again == ["secret adas-secret", "secret eves-secret"])
    }
}
