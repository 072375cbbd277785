public import ThumbAccess
public import ThumbKeychain
import ThumbSQLite

// How the audit is read back, in pieces of limited size.

/// What a store keeps in memory of the audit.
struct AuditState {
    var book = AuditBook()
    var waiting = AuditWaiting()
    var digests: [AuditProgram: [UInt8]] = [:]
}

extension ItemDatabase {
    /// Reads the ends of all chains, and compares them with the total. If something is missing, only the owner can declare the rest
    /// complete.
    func loadAudit(acceptingLosses: Bool) throws {
        var (sum, count, next) = (Sum256(), UInt32(0), UInt32(1))
        var damaged: [Int64] = []
        try connection.rows("SELECT name, sealed FROM state WHERE name >= ? ORDER BY name", [.integer(AuditChain.stateNames)]) {
            let (name, box) = ($0.integer(0), $0.bytes(1))
            guard let chain = try undamaged({ try auditSeals.openChain(box, stateName: name) }) else {
                damaged.append(name)
                return true
            }
            sum += try auditSeals.summand(stateName: name, tag: AuditEnds.tag(of: box))
            count += 1
            next = max(next, chain.id + 1)
            audit.book.put(chain)
            return true
        }
        audit.book.isWhole = damaged.isEmpty && (sum, count) == (total.chainSum, total.chains)
        // A number that a chain once had is never given to another.
        total.nextChain = max(total.nextChain, next)
        guard !audit.book.isWhole, acceptingLosses else { return }
        for name in damaged { try connection.run("DELETE FROM state WHERE name = ?", .integer(name)) }
        (total.chainSum, total.chains) = (sum, count)
        audit.book.isWhole = true
    }

    /// The chains that a program may see, in order. If all are meant, that of earlier daemons comes first.
    private func chains(of program: AuditProgram?) throws -> [AuditChain] {
        guard let program else {
            var earlier = AuditChain(id: 0, ring: .earlier, program: AuditChain.others, kind: .consented, uid: 0, name: "")
            earlier.ends = total.audit
            return [earlier] + audit.book.inOrder
        }
        let digest = try digest(of: program)
        return audit.book.inOrder.filter { $0.program == digest }
    }

    /// The records from that place on, without damaged ones. Fails if the file can't be read.
    public func records(
        from place: UInt64, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> AuditPage {
        try keeping { try page(from: AuditPlace(row: place), limit: UInt64(max(limit, 0)), of: program) }
    }

    private func page(from begin: AuditPlace, limit: UInt64, of program: AuditProgram?) throws -> AuditPage {
        var entries: [AuditPage.Entry] = []
        var room = limit
        let own = try program.map(digest(of:))
        // Records of a program beyond the limit of chains are among the others' records.
        let chains = try own == nil ? chains(of: nil) : audit.book.inOrder.filter { $0.program == own || $0.isOthers }
        for chain in chains where chain.id >= begin.chain {
            var number = max(chain.ends.first, chain.id == begin.chain ? begin.number : 0)
            while number < chain.ends.next {
                guard room > 0 else { return AuditPage(entries, next: AuditPlace(chain.id, number).row) }
                let end = min(number + room, chain.ends.next)
                try eachRow(of: chain, number, end) { place, sealed in
                    guard var found = try undamaged({ try auditSeals.open(sealed, at: place) }) else { return }
                    guard own == nil || found.record.program == own else { return }
                    found.record.ring = chain.ring
                    entries.append(AuditPage.Entry(found.record, item: found.item))
                }
                room -= end - number
                number = end
            }
        }
        return AuditPage(entries, next: nil)
    }

    /// Goes on reading the chains, and notes every record that isn't as it was written. Fails if the file can't be read.
    ///
    /// Between two pieces records may come and go. New ones are read too, and dropped ones are skipped.
    public func verifyAudit(
        _ progress: inout AuditProgress, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> Bool {
        try keeping {
            var room = UInt64(max(limit, 0))
            progress.report.areChainsWhole = audit.book.isWhole
            for chain in try chains(of: program) where chain.id >= progress.chain {
                var reading = progress.reading ?? chain.shown
                if progress.reading == nil {
                    (progress.number, progress.expected, progress.last) = (chain.ends.first, chain.ends.base, chain.ends.base)
                }
                if progress.number < chain.ends.first {
                    (progress.number, progress.expected, progress.last) = (chain.ends.first, chain.ends.base, chain.ends.base)
                }
                let end = min(progress.number + room, chain.ends.next)
                try eachRow(of: chain, progress.number, end) { place, sealed in
                    let follows = progress.expected.map { sealed.prefix(AuditEnds.tagBytes).elementsEqual($0) } ?? true
                    let isWhole = try undamaged { try auditSeals.open(sealed, at: place) } != nil
                    if !isWhole || !follows { reading.noteBroken(place.number) }
                    progress.last = AuditEnds.tag(of: sealed)
                    // A damaged record doesn't tell what comes next.
                    progress.expected = isWhole ? progress.last : nil
                }
                room -= end - progress.number
                progress.number = end
                guard end == chain.ends.next else {
                    (progress.chain, progress.reading) = (chain.id, reading)
                    return false
                }
                reading.endsWhereItShould = progress.last == chain.ends.head
                reading.records = chain.ends.count
                reading.dropped = chain.drops.shown
                // In newer stores nothing was ever added to the chain of earlier daemons.
                if chain.ring != .earlier || chain.ends.next > 1 || !reading.isSound { progress.report.chains.append(reading) }
                (progress.chain, progress.reading) = (chain.id + 1, nil)
            }
            return true
        }
    }

    /// Calls `body` for each number in a part of a chain, with its row, or with nothing if the row is missing. Rows beyond the chain's ends
    /// don't count.
    private func eachRow(
        of chain: AuditChain, _ first: UInt64, _ end: UInt64, _ body: (AuditPlace, [UInt8]) throws -> Void
    ) throws {
        guard first < end else { return }
        var rows: [UInt64: [UInt8]] = [:]
        try connection.rows(
            "SELECT number, sealed FROM audit WHERE number >= ? AND number < ?",
            [AuditPlace(chain.id, first).value, AuditPlace(chain.id, end).value]
        ) {
            rows[UInt64(bitPattern: $0.integer(0))] = $0.bytes(1)
            return true
        }
        for number in first..<end {
            let place = AuditPlace(chain.id, number)
            try body(place, rows[place.row] ?? [])
        }
    }
}

extension AuditChain {
    fileprivate var shown: AuditReport.Chain {
        AuditReport.Chain(ring: ring, program: ring == .earlier ? nil : program, name: name, kind: kind, uid: uid)
    }
}

extension AuditReport.Chain {
    fileprivate mutating func noteBroken(_ number: UInt64) {
        brokenCount += 1
        if broken.count < Self.namedBroken { broken.append(number) }
    }
}
