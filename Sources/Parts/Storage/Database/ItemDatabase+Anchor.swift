// Binds the total to a chip's counter (docs/STORE.md, *The anchor*). First the total on disk is raised by one, then the counter.

/// How far the total and the counter are apart.
struct Anchoring {
    /// Whether a security event requires the anchor to move.
    var isDue = false
    /// Whether the total on disk is one ahead, or waits for its counter to be made.
    var isAhead = false
    /// Whether the counter is being asked.
    var isCounting = false
}

extension ItemDatabase {
    /// Compares the total with the counter and with the keybag, before anything else is trusted.
    func checkAnchor(_ counter: CounterReading?, acceptingLosses: Bool) throws {
        var isOld = keybag.revision < total.keybag
        if counter != nil, total.anchor == Anchor.isBeingMade {
            // The daemon stopped while the counter was being made. It is made now, whatever exists of it.
            anchoring.isAhead = true
        } else if let counter {
            switch (total.anchor, try counter.value()) {
            case (0, nil): break
            case (let own, let counted?) where own == counted: break
            case (let own, let counted?) where own == counted &+ 1: anchoring.isAhead = true
            default: isOld = true
            }
        } else if total.anchor != 0 {
            isOld = true
        }
        guard isOld else { return }
        // Whoever had the recovery code knows that the chip is another one.
        guard acceptingLosses || keybag.wasRecovered else {
            throw StorageError(.oldCopy, "comparing the store with what it last was")
        }
        distrustMisses()
        // The next counter begins beyond every earlier one.
        total.anchor = anchor == nil ? 0 : Anchor.isBeingMade
        anchoring.isAhead = anchor != nil
    }

    /// Moves the anchor when the store opens: makes it if there is none, continues where a crash stopped it, and counts what was written
    /// since it last moved. If the chip refuses, the store has no anchor, and reports that.
    func dropAnchor() throws {
        guard anchor != nil else { return }
        if total.anchor == 0 {
            try transaction(isWork: false) { $0.anchor = Anchor.isBeingMade }
            anchoring.isAhead = true
        }
        anchoring.isDue = total.isBehind && !anchoring.isAhead
        if anchoring.isDue { try transaction(isWork: false) { _ in } } else { countIfDue() }
        guard anchorRefusal != nil, total.anchor == Anchor.isBeingMade, try anchor?.count() == nil else { return }
        anchoring = Anchoring()
        try transaction(isWork: false) { $0.anchor = 0 }
    }

    /// Within a transaction: raises the anchor by one, if an event requires it and the counter has followed the last time.
    func raiseAnchor(_ next: inout Total) -> Bool {
        guard anchor != nil, anchoring.isDue, !anchoring.isAhead else { return false }
        guard next.anchor != 0, next.anchor != Anchor.isBeingMade else { return false }
        next.anchor += 1
        next.isBehind = false
        return true
    }

    /// After a transaction: makes the counter follow.
    func countIfDue() {
        guard let anchor, anchoring.isAhead, !anchoring.isCounting else { return }
        anchoring.isCounting = true
        let work: @Sendable () -> Result<UInt64, StorageError> = {
            do throws(StorageError) { return .success(try anchor.countUp()) } catch { return .failure(error) }
        }
        guard let countElsewhere else { return anchored(work()) }
        if !countElsewhere(work) { anchoring.isCounting = false }
    }

    /// Takes the counter's value, or why it didn't count. In the latter case it is asked again with the next write.
    public func anchored(_ counted: Result<UInt64, StorageError>) {
        anchoring.isCounting = false
        switch counted {
        case .failure(let error): anchorRefusal = error
        case .success(let number):
            anchorRefusal = nil
            anchoring.isAhead = false
            guard number != total.anchor || anchoring.isDue else { break }
            // The total follows a counter that was just made, or that counted twice. Or an event happened meanwhile.
            do throws(StorageError) {
                try storing { try transaction(isWork: false) { $0.anchor = number } }
            } catch {
                anchorRefusal = error
            }
        }
    }
}
