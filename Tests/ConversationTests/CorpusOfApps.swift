import ThumbAccess

@testable import ThumbConversation

// What an app says and hears in each call that libthumbturn makes. Its own codec, in C, is held to these files: it says the same bytes, and
// understands every answer (Tests/LibraryTests/C/frames.c).
extension Corpus {
    static let ofApps: [(name: String, what: String, word: any Word)] = requests + answers

    private static let requests: [(name: String, what: String, word: any Word)] = [
        ("request-capability", "whether a finger can be asked for", GetCapability(1, context: 0)),
        ("request-evaluate", "a question, all of its words said", Evaluate(evaluation)),
        ("request-evaluate-bare", "a question with a reason alone", Evaluate(bareEvaluation)),
        ("request-invalidate", "a context that ends", Invalidate(context: 7)),
        ("request-release", "a context that is forgotten", Release(context: 7)),
        ("request-prompt-unavailable", "that nobody can be asked", PromptUnavailable(ticket: ticket)),
        (
            "request-add", "a secret with a label, under presence",
            AddItem(
                NewItem(
                    itemClass: .genericPassword,
                    attributes: [.service: .text("mail"), .account: .text("anna"), .label: .text("Mail")], rule: presence,
                    secret: secret("tulips"), asking: asking))
        ),
        (
            "request-find-secret", "a secret to be read",
            FindItems(
                Query(itemClass: .genericPassword, attributes: named, sync: .any, limit: 1, shape: .data, asking: asking))
        ),
        (
            "request-find-all", "all secrets, to be listed",
            FindItems(Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: .attributes))
        ),
        (
            "request-find-key", "the keys of a name",
            FindItems(
                Query(
                    itemClass: .key, attributes: [.keyClass: .number(1), .applicationTag: .data(Array("k".utf8))], sync: .any,
                    limit: nil, shape: [.attributes, .persistentRef]))
        ),
        (
            "request-update", "a secret in place of another, with a label",
            UpdateItems(
                Query(itemClass: .genericPassword, attributes: named, sync: .any, limit: nil, asking: asking),
                ItemChange(attributes: [.label: .text("Mail")], rule: presence, secret: secret("tulips")))
        ),
        (
            "request-update-empty", "no bytes in place of a secret",
            UpdateItems(
                Query(itemClass: .genericPassword, attributes: named, sync: .any, limit: nil),
                ItemChange(rule: presence, secret: secret("")))
        ),
        (
            "request-remove", "a secret to be removed",
            RemoveItems(Query(itemClass: .genericPassword, attributes: named, sync: .any, limit: nil))
        ),
        (
            "request-remove-key", "a key to be removed",
            RemoveItems(Query(itemClass: .key, sync: .any, persistentRef: [1, 2, 3], limit: nil))
        ),
        (
            "request-make-key", "a key for the TPM, under a finger that is enrolled now",
            MakeKey(
                NewKey(
                    kind: .elliptic(.p256), isEnclave: true, isPermanent: true,
                    attributes: [.applicationTag: .data(Array("k".utf8)), .label: .text("k")], rule: keyRule, asking: asking))
        ),
        ("request-sign", "a digest to be signed with RSA", UseKey(KeyUse(key, .sign(digest: [9, 8], .rsaPKCS1(.sha256))))),
        ("request-agree", "two keys that share something", UseKey(KeyUse(key, .agree(peer: [4, 1], .raw), asking: asking))),
        (
            "request-decrypt", "something to be decrypted",
            UseKey(KeyUse(key, .decrypt([5, 5], .ecies(.sha256, derivesNonce: true))))
        ),
    ]

    private static let answers: [(name: String, what: String, word: any Word)] = [
        ("answer-refused", "a refusal: too many contexts", Refusal.tooManyContexts),
        ("answer-done", "done", Done()),
        ("answer-failed", "a failure: the store is full", KeychainFailure.quotaReached),
        (
            "answer-status", "a status",
            DeviceStatus(
                mode: .user, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true,
                passcodeWasGiven: true, hasRecoveryCode: false, isSessionLocked: true, items: 3, quarantined: 1,
                custodian: .software, enclave: .tpm, processID: 4321, sensor: SensorFacts(name: "Größe", hindrance: .lidClosed),
                isAtDisplay: true)
        ),
        ("answer-capability", "a finger can be asked for", Capability(failure: nil, kind: .touchID, domainState: [1, 2, 3])),
        ("answer-capability-none", "no sensor", Capability(failure: .biometryNotAvailable, kind: .none, domainState: nil)),
        (
            "answer-evaluated-unplugged", "an unplugged sensor",
            EvaluationReply(result: .failure(.biometryDisconnected), kind: .touchID)
        ),
        (
            "answer-page", "two items, one with a secret, and more to come",
            ItemPage(
                [
                    FoundItem(
                        itemClass: .genericPassword,
                        attributes: [
                            .service: .text("mail"), .account: .data([0, 255]), .created: .date(-0.5), .invisible: .flag(true),
                            .port: .number(-1),
                        ], rule: presence, persistentRef: [1, 2], secret: secret("tulips")),
                    FoundItem(itemClass: .genericPassword, attributes: [:], rule: keyRule, persistentRef: []),
                ], isLast: false)
        ),
        ("answer-prompt-needed", "a ticket", PromptNeeded(ticket: ticket)),
        ("answer-window-needed", "a ticket for a window", WindowNeeded(ticket: ticket)),
        (
            "answer-key", "a key of the TPM's",
            KeyRecord(
                item: FoundItem(
                    itemClass: .key,
                    attributes: [
                        .applicationTag: .data([107]), .keyClass: .number(1), .type: .number(73), .keySize: .number(256),
                        .publicKey: .data([4, 1, 2]), .custodian: .number(2),
                    ], rule: keyRule, persistentRef: [1, 2, 3]))
        ),
        ("answer-key-used", "a signature", KeyProduct(secret([48, 6]), by: .software)),
    ]

    private static let ticket = Array(UInt8(0)..<32)
    private static let key = KeyName.stored([1, 2, 3])
    private static let named: Attributes = [.service: .text("mail"), .account: .text("anna")]
    private static let asking = AskingTerms(
        context: 7, permission: .fail, reuseSeconds: 1.5, words: PromptWords(reason: "r", fallbackTitle: "", cancelTitle: "c"))
    private static let evaluation = EvaluationRequest(
        context: 7, subject: .policy(.deviceOwner), words: PromptWords(reason: "r", fallbackTitle: "", cancelTitle: "c"),
        interactionNotAllowed: true, reuseSeconds: 1.5)
    private static let bareEvaluation = EvaluationRequest(
        context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "r"))
    // Both are rules; AccessRule refuses bits that aren't any.
    private static let presence = try! AccessRule(.whenUnlocked, .userPresence)
    private static let keyRule = try! AccessRule(.whenUnlockedThisDeviceOnly, [.biometryCurrentSet, .privateKeyUsage])
}
