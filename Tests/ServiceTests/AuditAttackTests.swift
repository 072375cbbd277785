import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

/// Programs that ask for more of the audit than what they did themselves, or for it so often that nobody else is heard.
@Suite("Attacks on who reads the audit") struct AuditAttackTests {
    private func prompt(_ stand: Stand, _ ticket: [UInt8]) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }

    /// Adds an item as a program of that name; what it is found by.
    private func add(_ app: Peer, _ account: String = "a") throws -> [UInt8] {
        try app.send(
            .add(
                NewItem(
                    itemClass: .genericPassword, attributes: [.account: .text(account)], rule: AccessRule(.always),
                    secret: secret("s"), shape: [.persistentRef])))
        guard case .page(let page, _)? = try app.next(), let item = page.first else { throw Peer.Surprise() }
        return item.persistentRef
    }

    private func page(_ app: Peer, _ scope: AuditScope = .own, from place: UInt64 = 0) throws -> AuditAnswer {
        try app.send(.readAudit(scope, from: place))
        guard case .audit(let page)? = try app.next() else { throw Peer.Surprise() }
        return page
    }

    private func failure(_ app: Peer) throws -> KeychainFailure? {
        guard case .failed(let failure)? = try app.next() else { return nil }
        return failure
    }

    /// Types the passcode at the prompt that comes; what the app is answered then.
    private func afterPasscode(_ stand: Stand, _ app: Peer) throws -> Answer? {
        let prompt = try prompt(stand, try app.ticket())
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        defer { prompt.close() }
        return try app.next()
    }

    /// Notes many things that one program did.
    private func fill(_ stand: Stand, _ count: Int) {
        stand.onLoop { graph in
            let busy = Caller(uid: 1, pid: 1, kind: .consented, name: "busy", groups: ["org.busy"])
            for number in 0..<count {
                graph.device.audit.note(AuditNote(date: Double(number * 100), event: .released, by: busy))
            }
            graph.device.audit.flushNow()
        }
    }

    @Test("what another program did isn't in a program's own log, nor in its own verification")
    func others() throws {
        let stand = try Stand()
        let (one, two) = (try stand.app(label: "org.one"), try stand.app(label: "org.two"))
        _ = try add(one)
        let theirs = try page(two)
        try two.send(.verifyAudit(.own))
        guard case .auditReport(let report)? = try two.next() else { throw Peer.Surprise() }
        #expect(theirs == AuditAnswer([], next: nil) && report == AuditReport())
        #expect(try page(one).records.map(\.event) == [.added])
        // It changes nothing to claim a place in the middle of another's chain.
        let (inOthers, beyond) = (try page(two, from: 1 << 40 + 1).records, try page(two, from: .max).records)
        #expect(inOthers.isEmpty && beyond.isEmpty)
        Tally.attack("a program reads in the log what another did", succeeded: !theirs.records.isEmpty)
        Tally.check("a program has verified what another did", succeeded: !report.chains.isEmpty)
        Tally.check("a place in another's chain is read from", succeeded: !inOthers.isEmpty)
        Tally.check("a place beyond all chains is read from", succeeded: !beyond.isEmpty)
    }

    @Test("the log shows an item's reference to who may see the item, and to nobody else, the whole log included")
    func references() throws {
        let stand = try Stand(passcode: nil)
        let (one, two) = (try stand.app(label: "org.one"), try stand.app(label: "org.two"))
        let reference = try add(one)
        let own = try #require(try page(one).records.first)
        #expect(own.reference == reference && own.item.map { Array(reference.suffix(16)) != $0 } == true)
        let whole = try #require(try page(two, .whole).records.first { $0.event == .added })
        #expect(whole.reference == nil && whole.item == own.item)
        // Nothing of what that program hears has the item's id in it.
        try two.send(.readAudit(.whole, from: 0))
        guard case .audit(let answer)? = try two.next() else { throw Peer.Surprise() }
        let bytes = answer.frame(call: 1).bytes
        let id = Array(reference.suffix(16))
        let hasID = bytes.indices.contains { bytes[$0...].starts(with: id) }
        #expect(!hasID)
        Tally.check("the whole log shows the reference of another program's item", succeeded: whole.reference != nil)
        Tally.attack("the log says another program's item's id", succeeded: hasID)
    }

    @Test("without the passcode there is no whole log: the owner's no, a finger, and a prompt that goes away all end it")
    func noPasscode() throws {
        let stand = try Stand()
        let app = try stand.app()
        var got: [Bool] = []
        for request: any Word in [ReadAudit(.whole, from: 0), VerifyAudit(.whole)] {
            try app.send(request)
            let cancelling = try prompt(stand, try app.ticket())
            let content = try #require(try cancelling.shown())
            #expect(content.acceptsPasscode && content.listening == .none)
            stand.onLoop { $0.sensor.see(owner: true) }
            try cancelling.send(.cancelled)
            got.append(try failure(app) != .userCanceled)
            try app.send(request)
            try prompt(stand, try app.ticket()).close()
            got.append(try failure(app) != .authenticationFailed)
            try app.send(request)
            try app.send(.promptUnavailable(ticket: try app.ticket()))
            got.append(try failure(app) != .interactionNotAllowed)
        }
        #expect(got.allSatisfy { !$0 })
        Tally.attack("the whole log is open without the owner's passcode", succeeded: got.contains(true))
        let ends = ["the owner's no", "a prompt that goes away", "no prompt at all"]
        for (place, isGot) in got.enumerated() {
            let deed = place < ends.count ? "read" : "verified"
            Tally.check("the whole log is \(deed) after \(ends[place % ends.count])", succeeded: isGot)
        }
    }

    @Test("a passcode shown for something else opens no whole log, nor does one that was shown for the log before")
    func otherPasscode() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        guard case .evaluated(let reply)? = try afterPasscode(stand, app), reply.result == .success(.passcode) else {
            throw Peer.Surprise()
        }
        var asked: [Bool] = []
        for request: any Word in [ReadAudit(.whole, from: 0), VerifyAudit(.whole)] {
            for _ in 0..<2 {
                try app.send(request)
                // A ticket, and not an answer: it asks.
                switch try afterPasscode(stand, app) {
                case .audit?, .auditReport?: asked.append(true)
                default: asked.append(false)
                }
            }
        }
        #expect(asked == [true, true, true, true])
        for (place, isAsked) in asked.enumerated() {
            let (deed, time) = (place < 2 ? "read" : "verified", place % 2 == 0 ? "something else" : "an earlier reading")
            Tally.check("the whole log is \(deed) with a passcode shown for \(time)", succeeded: !isAsked)
        }
    }

    @Test(
        "a page in the middle comes to nobody but the reading that was allowed: not at another place, on another connection, after its end, or once the session was locked"
    )
    func pages() throws {
        let stand = try Stand()
        fill(stand, WireLimit.auditRecords * 3)
        let (app, other) = (try stand.app(), try stand.app())
        func begin() throws -> UInt64 {
            try app.send(.readAudit(.whole, from: 0))
            guard case .audit(let page)? = try afterPasscode(stand, app), let next = page.next else { throw Peer.Surprise() }
            #expect(page.records.count <= WireLimit.auditRecords)
            return next
        }
        func isRefused(_ peer: Peer, _ place: UInt64) throws -> Bool {
            try peer.send(.readAudit(.whole, from: place))
            return try failure(peer) == .authenticationFailed
        }
        var refused = [try isRefused(app, 1), try isRefused(app, 1 << 40 + 1), try isRefused(app, .max)]
        let next = try begin()
        refused += [try isRefused(other, next), try isRefused(app, next - 1), try isRefused(app, next + 1)]
        // The wrong places changed nothing for the reading that goes on, once for each page.
        let second = try page(app, .whole, from: next)
        refused.append(try isRefused(app, next))
        let third = try page(app, .whole, from: try #require(second.next))
        let last = try page(app, .whole, from: try #require(third.next))
        #expect(last.next == nil)
        refused.append(try isRefused(app, try #require(third.next)))
        let again = try begin()
        stand.onLoop {
            $0.device.lock()
            $0.device.unlock()
        }
        refused.append(try isRefused(app, again))
        #expect(refused.allSatisfy { $0 })
        let pages = [
            "at the first record without a reading", "in a chain without a reading", "at the last place without a reading",
            "of another connection's reading", "one place before the next", "one place after the next", "for a second time",
            "after its end", "after the session was locked",
        ]
        #expect(pages.count == refused.count)
        for (page, isRefused) in zip(pages, refused) {
            Tally.check("a page of the whole log comes \(page)", succeeded: !isRefused)
        }
    }

    @Test("what was begun where there was no passcode doesn't go on once there is one")
    func setMeanwhile() throws {
        let stand = try Stand(passcode: nil)
        fill(stand, WireLimit.auditRecords * 2)
        let app = try stand.app()
        let next = try #require(try page(app, .whole).next)
        let kept = Notes<Bool>()
        let new = secret("1234")
        EventLoop.shared.post { [stand] in stand.setPasscode(new) { kept.add($0) } }
        #expect(kept.wait { !$0.isEmpty } == [true])
        try app.send(.readAudit(.whole, from: next))
        let failed = try failure(app)
        #expect(failed == .authenticationFailed)
        Tally.check("a reading goes on that began before there was a passcode", succeeded: failed == nil)
    }

    @Test("who reads the whole log is in it, with a passcode and without, whether it reads or verifies")
    func readers() throws {
        let without = try Stand(passcode: nil)
        let app = try without.app(label: "org.reader")
        let first = try page(app, .whole).records.filter { $0.event == .auditRead }
        #expect(first.count == 1 && first.first?.ring == .notice && first.first?.factors == [])
        #expect(first.first?.name == "thumbturnPackageTests.xctest")
        try app.send(.verifyAudit(.whole))
        guard case .auditReport(let report)? = try app.next() else { throw Peer.Surprise() }
        #expect(report.isSound)
        let counted = try page(app).records.filter { $0.event == .auditRead }.reduce(0) { $0 + $1.times }
        #expect(counted == 2)
        let stand = try Stand()
        let asking = try stand.app()
        try asking.send(.readAudit(.whole, from: 0))
        guard case .audit(let page)? = try afterPasscode(stand, asking) else { throw Peer.Surprise() }
        let seen = page.records.filter { $0.event == .auditRead && $0.factors == [.passcode] }
        #expect(seen.count == 1)
        Tally.check("the whole log is read without a record of it, where there is no passcode", succeeded: first.isEmpty)
        Tally.check("the whole log is verified without a record of it", succeeded: counted < 2)
        Tally.check("the whole log is read with the passcode and without a record of it", succeeded: seen.isEmpty)
    }

    @Test("a sandboxed program gets no whole log and no verification of it, with a passcode or without; its own it gets")
    func sandboxed() throws {
        var refused: [Bool] = []
        for passcode in [nil, "1234"] {
            let stand = try Stand(passcode: passcode)
            let sandboxed = Caller(uid: getuid(), pid: 1, kind: .sandboxed, name: "app", groups: ["flatpak:org.example.App"])
            for request: any Word in [ReadAudit(.whole, from: 0), VerifyAudit(.whole), ReadAudit(.whole, from: 1 << 40)] {
                let answer = try stand.ask(request, as: sandboxed)
                guard case .failed(let failure)? = answer else { throw Peer.Surprise() }
                refused.append(failure == .missingEntitlement || failure == .authenticationFailed)
            }
            guard case .audit(let own)? = try stand.ask(.readAudit(.own, from: 0), as: sandboxed) else { throw Peer.Surprise() }
            // That it began twice is there, in one record, or in two if more than a minute has passed in between.
            #expect(Set(own.records.map(\.failure)) == [.missingEntitlement])
            #expect(own.records.allSatisfy { $0.event == .auditRead } && own.records.reduce(0) { $0 + $1.times } == 2)
            guard case .auditReport? = try stand.ask(.verifyAudit(.own), as: sandboxed) else { throw Peer.Surprise() }
        }
        #expect(refused == Array(repeating: true, count: 6))
        for (place, isRefused) in refused.enumerated() {
            let deed = ["reads", "verifies", "reads in the middle of"][place % 3]
            let passcode = place < 3 ? "without a passcode" : "with a passcode"
            Tally.check("a sandboxed app \(deed) the whole log, \(passcode) set", succeeded: !isRefused)
        }
    }

    @Test("a program without any group of its own has no records of its own, not those of others that have none either")
    func unknown() throws {
        let stand = try Stand()
        let unnamed = Caller(uid: getuid(), pid: 1, kind: .sandboxed, name: "process", groups: [])
        stand.onLoop { $0.device.note(.evaluated, by: unnamed) }
        guard case .audit(let page)? = try stand.ask(.readAudit(.own, from: 0), as: unnamed) else { throw Peer.Surprise() }
        #expect(page.records.isEmpty && page.next == nil)
        Tally.check("a program without a group reads what another such did", succeeded: !page.records.isEmpty)
    }

    /// Looks in each turn of the loop: once those who wait have answers, how many of the crowd have theirs. The loop itself looks, because
    /// this test's own thread may come to it late. Nobody may read an answer before it has looked.
    @OnLoop private static func count(_ crowd: [Int32], once waiting: [Int32], _ early: Notes<Int>) {
        let answered = crowd.count { UnixSocket.isReadable($0) }
        if answered == crowd.count || waiting.allSatisfy({ UnixSocket.isReadable($0) }) { return early.add(answered) }
        EventLoop.shared.post { count(crowd, once: waiting, early) }
    }

    @Test("100 verifications at once keep nobody waiting: another is answered while the first of them still runs")
    func crowd() throws {
        let stand = try Stand(passcode: nil)
        fill(stand, WireLimit.auditRecordsVerified * 20)
        let victim = try stand.app()
        let peers = try (0..<100).map { number in try stand.app(label: "org.hostile\(number % 10)") }
        let before = stand.onLoop { $0.device.audit.pieces }
        // All of it is there when the loop looks for the first time.
        let gate = DispatchSemaphore(value: 0)
        EventLoop.shared.post { gate.wait() }
        for peer in peers { try peer.send(.verifyAudit(.whole)) }
        try victim.send(.status)
        let late = try UnixSocket.pair().get()
        let newcomer = Peer(late.0, of: stand)
        try newcomer.send(.hello(Hello(role: .app)))
        EventLoop.shared.post { [stand] in stand.serve(late.1) }
        let (waiting, crowd, early) = ([victim.fd, newcomer.fd], peers.map(\.fd), Notes<Int>())
        EventLoop.shared.post { Self.count(crowd, once: waiting, early) }
        gate.signal()
        let answered = try #require(early.wait { !$0.isEmpty }.first)
        guard case .status? = try victim.next(), case .welcome? = try newcomer.next() else { throw Peer.Surprise() }
        #expect(answered == 0)
        // All are answered in the end, and by few readings: who waits for the same shares it.
        for peer in peers {
            guard case .auditReport(let report)? = try peer.next(), report.isSound else { throw Peer.Surprise() }
        }
        let pieces = stand.onLoop { $0.device.audit.pieces } - before
        #expect(pieces <= 2 * 22)
        Tally.attack("a hundred verifications keep an honest program waiting", succeeded: answered > 0)
        Tally.check("equal verifications read the log each for itself", succeeded: pieces > 2 * 22)
    }

    @Test("one turn of the loop reads 512 records of a verification, and no more")
    func piece() throws {
        let stand = try Stand(passcode: nil)
        fill(stand, WireLimit.auditRecordsVerified * 3)
        let pieces = stand.onLoop { $0.device.audit.pieces }
        let app = try stand.app()
        try app.send(.verifyAudit(.whole))
        guard case .auditReport(let report)? = try app.next() else { throw Peer.Surprise() }
        // The record of who verifies is read too.
        #expect(report.records == UInt64(WireLimit.auditRecordsVerified * 3 + 1))
        #expect(stand.onLoop { $0.device.audit.pieces } - pieces == 4)
    }

    /// Asks for a second verification once the first one has read a piece. The loop itself looks, so the first one still runs then.
    @OnLoop private static func verify(_ audit: AuditDesk, after pieces: Int, _ reports: Notes<Bool>) {
        guard audit.pieces > pieces else {
            return EventLoop.shared.post { verify(audit, after: pieces, reports) }
        }
        audit.verify(of: nil) { reports.add((try? $0.get())?.isSound == true) }
    }

    @Test("a verification that runs answers nobody who asks later: what it has passed may have been altered since")
    func runs() throws {
        let stand = try Stand(passcode: nil)
        fill(stand, WireLimit.auditRecordsVerified * 3)
        let reports = Notes<Bool>()
        let begun = stand.onLoop { graph in
            let pieces = graph.device.audit.pieces
            graph.device.audit.verify(of: nil) { reports.add((try? $0.get())?.isSound == true) }
            return pieces
        }
        #expect(reports.wait { $0.count == 1 } == [true])
        let alone = stand.onLoop { $0.device.audit.pieces } - begun
        stand.onLoop { graph in
            let pieces = graph.device.audit.pieces
            graph.device.audit.verify(of: nil) { reports.add((try? $0.get())?.isSound == true) }
            Self.verify(graph.device.audit, after: pieces, reports)
        }
        #expect(reports.wait { $0.count == 3 } == [true, true, true])
        // Each of the three has read everything.
        #expect(alone > 1 && stand.onLoop { $0.device.audit.pieces } - begun == 3 * alone)
    }

    @Test("a page has 128 records at most, and a program that has one more has two pages", arguments: [128, 129])
    func pageSize(_ count: Int) throws {
        let stand = try Stand(passcode: nil)
        let app = try stand.app(label: "org.many")
        for number in 0..<count { _ = try add(app, "\(number)") }
        let first = try page(app)
        #expect(first.records.count == 128 && (first.next == nil) == (count == 128))
        if let next = first.next { #expect(try page(app, from: next).records.count == 1) }
    }

    @Test("a verification that ends after its program has gone goes nowhere, and the next one is answered")
    func gone() throws {
        let stand = try Stand(passcode: nil)
        fill(stand, WireLimit.auditRecordsVerified * 4)
        let leaving = try stand.app()
        try leaving.send(.verifyAudit(.whole))
        leaving.close()
        let app = try stand.app()
        try app.send(.verifyAudit(.whole))
        guard case .auditReport(let report)? = try app.next() else { throw Peer.Surprise() }
        #expect(report.isSound)
    }
}
