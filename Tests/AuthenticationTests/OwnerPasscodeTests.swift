import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

private func secret(_ text: String) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: Array(text.utf8))
}

/// A slot of a script's: what opens it, and everything that was done to it.
private final class ScriptedSlot: Passcode {
    var opens: SecretBytes?
    var source: PasscodeSource
    var wasGiven = false
    var canWrite = true
    /// What it answers whatever was typed, and isn't opened by.
    var always: PasscodeVerdict?
    private(set) var done: [String] = []
    var isSet: Bool { opens != nil }
    let hasRecoveryCode = false

    init(_ opens: String?, _ source: PasscodeSource) {
        self.opens = opens.map(secret)
        self.source = source
    }

    func check(_ passcode: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        done.append("check")
        if let always { return answer(always) }
        if opens == passcode { wasGiven = true }
        answer(opens == passcode ? .right : .wrong)
    }

    func set(_ passcode: SecretBytes, from source: PasscodeSource, _ answer: @escaping (Bool) -> Void) {
        done.append("set \(source)")
        if canWrite { (opens, self.source) = (passcode, source) }
        answer(canWrite)
    }

    struct NotScripted: Error {}
    func remove() throws { throw NotScripted() }
    func makeRecoveryCode() throws -> SecretBytes { throw NotScripted() }
    func checkRecoveryCode(_ code: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) { answer(.failed) }
    func dropKeys() { wasGiven = false }
}

/// A system of a script's: one password, or one answer whatever was typed.
private final class ScriptedAccount: AccountPassword {
    let password: SecretBytes
    var always: AccountVerdict?
    /// What it asks before it judges; without an answer it judges nothing.
    var question: AccountQuestion?
    var onAsked: () -> Void = {}
    var onAnswer: (SecretBytes?) -> Void = { _ in }
    private(set) var asked = 0

    init(_ password: String) { self.password = secret(password) }

    func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        asked += 1
        onAsked()
        let verdict = always ?? (password == self.password ? .right : .wrong)
        guard let question else { return answer(verdict) }
        asking(question) { [self] typed in
            onAnswer(typed)
            answer(typed == nil ? .unavailable : verdict)
        }
    }
}

@Suite("The passcode: Thumbturn's own, or the account's password")
struct OwnerPasscodeTests {
    private func verdict(_ owner: OwnerPasscode, _ typed: String) -> PasscodeVerdict? {
        var found: PasscodeVerdict?
        owner.check(secret(typed)) { found = $0 }
        return found
    }

    private func offering(_ owner: OwnerPasscode, _ typed: String, isNew: Bool = false) -> OwnerPasscode.Offering? {
        var found: OwnerPasscode.Offering?
        owner.offer(secret(typed), isNew: isNew) { found = $0 }
        return found
    }

    @Test("one of its own is the slot's to judge, and the system isn't asked")
    func own() {
        let (slot, account) = (ScriptedSlot("mine", .own), ScriptedAccount("theirs"))
        let owner = OwnerPasscode(slot, account: account)
        #expect(verdict(owner, "mine") == .right && verdict(owner, "theirs") == .wrong && account.asked == 0)
    }

    @Test(
        "the account's password is right only if the system agrees and the slot opens; where the system says no the slot isn't tried"
    )
    func both() {
        let slot = ScriptedSlot("pass", .account)
        let owner = OwnerPasscode(slot, account: ScriptedAccount("pass"))
        #expect(verdict(owner, "pass") == .right && slot.done == ["check"])
        // The slot is still under the old one, which the system takes no more.
        let behind = ScriptedSlot("old", .account)
        let late = OwnerPasscode(behind, account: ScriptedAccount("new"))
        #expect(verdict(late, "old") == .wrong && behind.done == [] && !behind.wasGiven)
        #expect(verdict(late, "new") == .changedElsewhere && !behind.wasGiven)
    }

    @Test(
        "what isn't a judgement of the password opens nothing",
        arguments: [
            (.expired, .expired), (.locked, .locked), (.unavailable, .failed), (.wrong, .wrong),
        ] as [(AccountVerdict, PasscodeVerdict)])
    func others(_ said: AccountVerdict, _ found: PasscodeVerdict) {
        let (slot, account) = (ScriptedSlot("pass", .account), ScriptedAccount("pass"))
        account.always = said
        #expect(verdict(OwnerPasscode(slot, account: account), "pass") == found && slot.done == [])
    }

    @Test(
        "a slot that couldn't be tried says so: nobody is told of a changed password, and no login puts one in place",
        arguments: [PasscodeVerdict.failed, .waits])
    func untried(_ said: PasscodeVerdict) {
        let slot = ScriptedSlot("pass", .account)
        slot.always = said
        slot.wasGiven = true
        let owner = OwnerPasscode(slot, account: ScriptedAccount("pass"))
        #expect(verdict(owner, "pass") == said)
        #expect(offering(owner, "pass", isNew: true) == .refused && slot.done == ["check", "check"])
        #expect(slot.opens == secret("pass"))
    }

    @Test("without anybody to ask, the account's password can't be tried")
    func nobody() {
        let slot = ScriptedSlot("pass", .account)
        #expect(verdict(OwnerPasscode(slot, account: nil), "pass") == .failed && slot.done == [])
    }

    @Test("the slot follows a new password only over the one that opens it")
    func renewal() {
        let slot = ScriptedSlot("old", .account)
        let owner = OwnerPasscode(slot, account: ScriptedAccount("new"))
        var found: [PasscodeVerdict] = []
        owner.renew(secret("new"), over: secret("guess")) { found.append($0) }
        #expect(found == [.wrong] && slot.done == ["check"])
        slot.canWrite = false
        owner.renew(secret("new"), over: secret("old")) { found.append($0) }
        #expect(found == [.wrong, .failed] && slot.opens == secret("old"))
        slot.canWrite = true
        owner.renew(secret("new"), over: secret("old")) { found.append($0) }
        #expect(found == [.wrong, .failed, .right] && verdict(owner, "new") == .right)
    }

    @Test("a login's password opens the slot, and one that was just changed is put in place if the previous one was given")
    func offers() {
        let slot = ScriptedSlot("old", .account)
        let before = OwnerPasscode(slot, account: ScriptedAccount("old"))
        #expect(offering(before, "guess") == .refused && !slot.wasGiven)
        #expect(offering(before, "old") == .opened && slot.wasGiven)
        let after = OwnerPasscode(slot, account: ScriptedAccount("new"))
        #expect(offering(after, "new") == .refused && slot.opens == secret("old"))
        #expect(offering(after, "new", isNew: true) == .renewed && slot.opens == secret("new"))
        // Not given since the start: nothing shows that whoever changed the password is the owner.
        slot.opens = secret("older")
        slot.dropKeys()
        #expect(offering(after, "new", isNew: true) == .refused && slot.opens == secret("older") && !slot.wasGiven)
    }

    @Test("a change that a login doesn't call new isn't followed, though the passcode was given")
    func untold() {
        let slot = ScriptedSlot("old", .account)
        slot.wasGiven = true
        let owner = OwnerPasscode(slot, account: ScriptedAccount("new"))
        #expect(offering(owner, "") == .refused && offering(owner, "", isNew: true) == .refused)
        #expect(offering(owner, "new") == .refused && slot.opens == secret("old"))
        // A full disk changes nothing.
        slot.canWrite = false
        #expect(offering(owner, "new", isNew: true) == .refused && slot.opens == secret("old"))
        slot.canWrite = true
        #expect(offering(owner, "new", isNew: true) == .renewed && slot.opens == secret("new"))
    }

    @Test(
        "no password is none, even if the account takes it: the system isn't asked, and nothing is put into the slot",
        arguments: [true, false])
    func empty(isNew: Bool) {
        let (slot, account) = (ScriptedSlot("old", .account), ScriptedAccount(""))
        slot.wasGiven = true
        #expect(offering(OwnerPasscode(slot, account: account), "", isNew: isNew) == .refused)
        #expect(account.asked == 0 && slot.done == [] && slot.opens == secret("old"))
    }

    @Test("a login's password is of no use to a passcode of its own, and isn't tried on it", arguments: [true, false])
    func offersToOwn(isNew: Bool) {
        let (slot, account) = (ScriptedSlot("same", .own), ScriptedAccount("same"))
        let owner = OwnerPasscode(slot, account: account)
        #expect(offering(owner, "same", isNew: isNew) == .refused && slot.done == [] && account.asked == 0)
        #expect(offering(OwnerPasscode(ScriptedSlot(nil, .own), account: account), "same") == .refused)
    }

    @Test("where another passcode was set while the system was asked, what was typed isn't tried on it")
    func setMeanwhile() {
        let slot = ScriptedSlot("pass", .account)
        let account = ScriptedAccount("pass")
        account.onAsked = { slot.source = .own }
        #expect(verdict(OwnerPasscode(slot, account: account), "pass") == .failed && slot.done == [] && !slot.wasGiven)
    }

    @Test("a renewal puts nothing over a passcode of the owner's own")
    func renewalOfOwn() {
        let slot = ScriptedSlot("mine", .own)
        var found: [PasscodeVerdict] = []
        OwnerPasscode(slot, account: ScriptedAccount("new")).renew(secret("new"), over: secret("mine")) { found.append($0) }
        #expect(found == [.failed] && slot.done == ["check"] && slot.opens == secret("mine"))
    }

    @Test("where nobody can be asked, the system's question is answered with nothing, and nothing is opened")
    func unasked() {
        let slot = ScriptedSlot("pass", .account)
        let account = ScriptedAccount("pass")
        var answers: [SecretBytes?] = []
        account.question = AccountQuestion(text: "Code: ", isHidden: true)
        account.onAnswer = { answers.append($0) }
        #expect(verdict(OwnerPasscode(slot, account: account), "pass") == .failed)
        #expect(answers == [nil] && slot.done == [])
    }

    @Test("where there is no chip no login by finger opens anything, and none can be allowed to")
    func chipless() {
        let slot = ScriptedSlot("mine", .own)
        var (opened, failures): ([Bool], [KeychainFailure?]) = ([], [])
        slot.openAtLogin { opened.append($0) }
        for opens in [true, false] {
            slot.setOpensAtLogin(opens) { result in
                if case .failure(let failure) = result { failures.append(failure) } else { failures.append(nil) }
            }
        }
        #expect(opened == [false] && failures == [KeychainFailure.custodianAbsent, nil])
        #expect(!slot.opensAtLogin && !slot.wasOpenedAtLogin)
    }
}

@Suite("An evaluation by the account's password")
struct AccountEvaluationTests {
    @Test("changed elsewhere: nothing is counted and nothing cleared, and what is typed next is the previous one")
    func changed() throws {
        var play = Play(Wanted.passcode, on: .device(.none, .notAvailable, misses: 3, wrong: 2))
        _ = play.begin()
        #expect(try play.typed() == [.commit(3, 3), .check])
        #expect(play.after(.verdict(.changedElsewhere)) == [.commit(3, 2), .update])
        #expect(play.shown?.notice == .accountPasswordChanged)
        #expect(try play.typed() == [.commit(3, 3), .renew])
        // A guess at the previous one costs what any guess costs.
        #expect(play.after(.verdict(.wrong)) == [.update])
        #expect(try play.typed() == [.commit(3, 4), .renew])
        #expect(play.after(.verdict(.wrong)) == [.wait(10), .update])
        _ = play.after(.waitIsOver)
        #expect(try play.typed() == [.commit(3, 5), .renew])
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("the renewal is of what the account took, over what was typed then")
    func renewed() throws {
        let terms = Evaluation.Terms(
            demands: Demands(Wanted.passcode), program: ProgramWords(name: "app"), words: PromptWords(reason: "r"),
            interactionNotAllowed: false,
            purpose: .accountPassword)
        var evaluation = Evaluation(terms, on: .passcodeOnly, passcodeWait: 0)
        guard case .show(let content)? = evaluation.begin().first else { throw Missing() }
        #expect(content.purpose == .accountPassword)
        _ = evaluation.handle(.typed(secret("new")))
        _ = evaluation.handle(.verdict(.changedElsewhere))
        guard case .renew(let accepted, let previous)? = evaluation.handle(.typed(secret("old"))).last else { throw Missing() }
        #expect(accepted == secret("new") && previous == secret("old"))
    }

    struct Missing: Error {}

    @Test(
        "an expired password and a locked account are said to be so, and cost nothing",
        arguments: [(.expired, .accountPasswordExpired), (.locked, .accountLocked)] as [(PasscodeVerdict, PromptNotice)])
    func refused(_ verdict: PasscodeVerdict, _ notice: PromptNotice) throws {
        var play = Play(Wanted.passcode, on: .device(.none, .notAvailable, wrong: 3))
        _ = play.begin()
        _ = try play.typed()
        #expect(play.after(.verdict(verdict)) == [.commit(0, 3), .update])
        #expect(play.shown?.notice == notice)
        #expect(try play.typed() == [.commit(0, 4), .check])
    }

    @Test("what is typed after a question is its answer, no guess; a question that nobody waits for is none")
    func questions() throws {
        let question = AccountQuestion(text: "Code: ", isHidden: false)
        var play = Play(Wanted.passcode, on: .passcodeOnly)
        _ = play.begin()
        #expect(play.after(.question(question)) == [])
        _ = try play.typed()
        #expect(play.after(.question(question)) == [.update])
        #expect(play.shown?.notice == .question(question))
        #expect(try play.typed() == [.answer])
        // Before the next question there is nothing to answer, and the last one isn't shown any more.
        #expect(try play.typed() == [.update])
        #expect(play.shown?.notice == nil)
        #expect(play.after(.question(question)) == [.update])
        #expect(try play.typed() == [.answer])
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("a verdict ends the question that was open")
    func endedQuestion() throws {
        var play = Play(Wanted.passcode, on: .passcodeOnly)
        _ = play.begin()
        _ = try play.typed()
        _ = play.after(.question(AccountQuestion(text: "Code: ", isHidden: true)))
        #expect(play.after(.verdict(.wrong)) == [.update])
        #expect(try play.typed() == [.commit(0, 2), .check])
    }

    @Test("a convenience-level sensor is absent for a policy that refuses it, and present for one that doesn't")
    func convenience() throws {
        var device = DeviceState.face
        device.level = .convenience
        let strict = Demands(try AccessRule(.whenUnlocked, [.biometryAny, .strongBiometry]))
        let presence = Demands(try AccessRule(.whenUnlocked, [.userPresence, .strongBiometry]))
        let plain = Demands(try AccessRule(.whenUnlocked, .biometryAny))
        #expect(strict.failure(on: device) == .biometryNotAvailable && strict.failure(on: .face) == nil)
        #expect(!strict.areMet(by: [.biometry], on: device) && strict.areMet(by: [.biometry], on: .face))
        #expect(plain.failure(on: device) == nil && plain.areMet(by: [.biometry], on: device))
        #expect(presence.failure(on: device) == nil && !presence.areMet(by: [.biometry], on: device))
        #expect(presence.areMet(by: [.passcode], on: device))
        var evaluation = Evaluation(
            Evaluation.Terms(
                demands: presence, program: ProgramWords(name: "app"), words: PromptWords(reason: "r"),
                interactionNotAllowed: false),
            on: device, passcodeWait: 0)
        let effects = evaluation.begin()
        guard case .show(let content)? = effects.first, effects.count == 1 else { throw Missing() }
        #expect(content.listening == .none && content.acceptsPasscode)
    }
}
