public import ThumbAccess
public import ThumbKeychain
import ThumbSQLite

// How the audit is written: what waits, what is repeated, and what is dropped.

/// Notes that aren't on disk yet.
struct AuditWaiting {
    /// How many may wait. With more, they are written at once.
    static let limit = 4096
    /// A repetition within this many seconds is counted and not listed.
    static let secondsOfRepeats = 60.0
    /// How many kinds of repetitions are counted at a time. With more, they are written down.
    static let repeatsLimit = 4096

    /// The first note of its kind is on disk; this counts how often the same happened again.
    private struct Repeated {
        var begun: Double
        /// Its count is zero if nothing happened again.
        var note: AuditNote
    }

    private(set) var notes: [AuditNote] = []
    /// The place, among the waiting notes, of each kind that may still be counted up.
    private var places: [AuditNote: Int] = [:]
    private var repeats: [AuditNote: Repeated] = [:]
    /// What was lost because nothing could be written.
    private(set) var lost: [AuditChain.Key: (note: AuditNote, drops: AuditDrops)] = [:]

    var isEmpty: Bool { notes.isEmpty && lost.isEmpty }
    var isFull: Bool { notes.count >= Self.limit }

    /// A note without its moment and its count, so that repetitions are equal.
    private static func kind(_ note: AuditNote) -> AuditNote {
        var kind = note
        (kind.date, kind.times) = (0, 0)
        return kind
    }

    private static func isWithin(_ date: Double, _ begun: Double) -> Bool { date >= begun && date < begun + secondsOfRepeats }

    private static func add(_ more: UInt32, to times: inout UInt32) {
        let (sum, isOver) = times.addingReportingOverflow(more)
        times = isOver ? .max : sum
    }

    mutating func add(_ note: AuditNote) {
        switch note.ring {
        case .protection, .earlier: return notes.append(note)
        case .notice, .everyday: break
        }
        let kind = Self.kind(note)
        if let place = places[kind], Self.isWithin(note.date, notes[place].date) {
            return Self.add(note.times, to: &notes[place].times)
        }
        if let repeated = repeats[kind] {
            if Self.isWithin(note.date, repeated.begun) {
                if repeated.note.times == 0 { repeats[kind]?.note.date = note.date }
                return Self.add(note.times, to: &repeats[kind, default: repeated].note.times)
            }
            settle(repeated)
            repeats[kind] = nil
        }
        places[kind] = notes.count
        notes.append(note)
    }

    /// Notes that belong to a write. They are never joined with others, because each write has its own record.
    mutating func add(withWrite notes: [AuditNote]) { self.notes += notes }

    /// The write failed, so its notes are dropped.
    mutating func takeBack(_ notes: [AuditNote]) {
        if self.notes.suffix(notes.count).elementsEqual(notes) { self.notes.removeLast(notes.count) }
    }

    private mutating func settle(_ repeated: Repeated) { if repeated.note.times > 0 { notes.append(repeated.note) } }

    /// Turns everything that was counted into waiting records.
    mutating func settle() {
        let counted = repeats.values.sorted { $0.note.date < $1.note.date }
        repeats = [:]
        for repeated in counted { settle(repeated) }
    }

    /// All of it is on disk. Repetitions from now on are counted separately.
    mutating func written() {
        for (kind, place) in places {
            var none = kind
            none.date = notes[place].date
            repeats[kind] = Repeated(begun: notes[place].date, note: none)
        }
        (notes, places, lost) = ([], [:], [:])
        if repeats.count > Self.repeatsLimit { settle() }
    }

    /// Makes room if nothing can be written. Notes on programs' own items are dropped first, and everything that is dropped is counted.
    mutating func makeRoom(_ key: (AuditNote) throws -> AuditChain.Key) rethrows {
        let everyday = notes.indices.filter { notes[$0].ring == .everyday }
        let going = Set(everyday.isEmpty ? Array(notes.indices.prefix(Self.limit / 2)) : everyday)
        for index in going.sorted() {
            let note = notes[index]
            var place = try key(note)
            if lost[place] == nil, lost.count >= AuditBook.chainsInRing { place.program = AuditChain.others }
            lost[place, default: (note, AuditDrops())].drops.add(note.event, UInt64(note.times), note.date)
        }
        notes = notes.indices.filter { !going.contains($0) }.map { notes[$0] }
        places = [:]
    }
}

extension ItemDatabase: AuditTrail {
    /// Notes an event, to be written with the next transaction. Repetitions are counted.
    public func note(_ note: AuditNote) {
        if audit.waiting.isFull { makeRoom() }
        audit.waiting.add(note)
    }

    /// Writes or drops notes, so that a full disk doesn't lead to full memory.
    private func makeRoom() {
        do throws(KeychainFailure) {
            try flush()
        } catch {  // Nothing can be written. What is lost is counted, and reported with the next write.
            do {
                try audit.waiting.makeRoom { note in
                    AuditChain.Key(ring: note.ring, program: try digest(of: note.program))
                }
            } catch {  // Not even a digest can be made, so nothing more is known of any of them.
                audit.waiting.makeRoom { AuditChain.Key(ring: $0.ring, program: AuditChain.others) }
            }
        }
    }

    public func noting<Result>(
        _ notes: [AuditNote], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result {
        audit.waiting.add(withWrite: notes)
        do throws(KeychainFailure) {
            return try write()
        } catch {
            audit.waiting.takeBack(notes)
            throw error
        }
    }

    public func settle() { audit.waiting.settle() }

    /// Puts the waiting notes on disk. If this fails, as any write may, they go on waiting.
    public func flush() throws(KeychainFailure) {
        guard !audit.waiting.isEmpty else { return }
        try keeping { try transaction { _ in } }
    }

    /// Appends the waiting notes to their chains, and drops what there is no room for. Part of a transaction.
    func writeAudit(_ total: inout Total) throws -> AuditBook {
        var book = audit.book
        guard !audit.waiting.isEmpty else { return book }
        var touched: Set<AuditChain.Key> = []
        for (key, (note, drops)) in audit.waiting.lost {
            var chain = try chain(for: note, key.program, &book, &total)
            chain.drops.add(drops)
            book.put(chain)
            touched.insert(chain.key)
        }
        for note in audit.waiting.notes {
            let program = try digest(of: note.program)
            var chain = try chain(for: note, program, &book, &total)
            let place = AuditPlace(chain.id, chain.ends.next)
            let box = try auditSeals.seal(note, program, at: place, after: chain.ends.head)
            try connection.run("INSERT OR REPLACE INTO audit(number, sealed) VALUES(?, ?)", place.value, .bytes(box))
            chain.ends.head = AuditEnds.tag(of: box)
            chain.ends.next += 1
            book.put(chain)
            touched.insert(chain.key)
            while book.hasTooMany(in: note.ring), let longest = book.longest(in: note.ring) {
                book.put(try dropOldest(of: longest))
                touched.insert(longest.key)
            }
        }
        for key in touched {
            guard var chain = book[key] else { continue }
            let box = try auditSeals.seal(chain)
            if let old = chain.tag { total.chainSum -= try auditSeals.summand(stateName: chain.stateName, tag: old) }
            let tag = AuditEnds.tag(of: box)
            total.chainSum += try auditSeals.summand(stateName: chain.stateName, tag: tag)
            chain.tag = tag
            book.put(chain)
            try connection.run(Self.putState, .integer(chain.stateName), .bytes(box))
        }
        return book
    }

    /// The chain for a note. If its program has none yet, a new chain or the one of all other programs.
    private func chain(
        for note: AuditNote, _ program: [UInt8], _ book: inout AuditBook, _ total: inout Total
    ) throws -> AuditChain {
        let own = AuditChain.Key(ring: note.ring, program: program)
        if let chain = book[own] { return chain }
        let others = AuditChain.Key(ring: note.ring, program: AuditChain.others)
        let isOthers = program == AuditChain.others || book.isFull(of: note.ring)
        if isOthers, let chain = book[others] { return chain }
        let chain =
            isOthers
            ? AuditChain(
                id: total.nextChain, ring: note.ring, program: AuditChain.others, kind: .consented, uid: note.program.uid,
                name: "other programs")
            : AuditChain(
                id: total.nextChain, ring: note.ring, program: program, kind: note.program.kind, uid: note.program.uid,
                name: note.name)
        total.nextChain += 1
        total.chains += 1
        return chain
    }

    /// Removes a chain's oldest record, and counts it as dropped.
    private func dropOldest(of chain: AuditChain) throws -> AuditChain {
        var chain = chain
        let place = AuditPlace(chain.id, chain.ends.first)
        var found: AuditRecord?
        try connection.rows("SELECT sealed FROM audit WHERE number = ?", [place.value]) {
            let sealed = $0.bytes(0)
            chain.ends.base = AuditEnds.tag(of: sealed)
            found = try undamaged { try auditSeals.open(sealed, at: place).record }
            return false
        }
        chain.drops.add(found?.event, UInt64(found?.times ?? 1), found?.date ?? 0)
        try connection.run("DELETE FROM audit WHERE number = ?", place.value)
        chain.ends.first += 1
        return chain
    }

    /// How many programs' digests are remembered.
    private static let heldDigests = 1024

    func digest(of program: AuditProgram) throws -> [UInt8] {
        if let known = audit.digests[program] { return known }
        let digest = try auditSeals.digest(of: program)
        if audit.digests.count >= Self.heldDigests { audit.digests = [:] }
        audit.digests[program] = digest
        return digest
    }
}
