import ThumbAccess

@testable import ThumbConversation

/// Every request and every answer, each with the most and the least that it can carry; here what stands in several of them.
enum Samples {
    static let all =
        requests + answers + HelperWordsTests.requests + HelperWordsTests.answers + FrontWordsTests.words + BrokerWordsTests.all

    static let words = PromptWords(reason: "unlock “Ünïcode”\n", fallbackTitle: "Enter PIN", cancelTitle: "")
    static let asking = AskingTerms(context: .max, permission: .skip, reuseSeconds: 12.5, words: words)

    static let attributes: Attributes = [
        .account: .text("émile"), .service: .data([0, 0xff, 10]), .creator: .number(.min), .invisible: .flag(true),
        .created: .date(-0.25), AttributeName(code: 0): .text(""),
    ]

    // Both rules are allowed, so neither can fail.
    static let rule = try! AccessRule(.whenPasscodeSetThisDeviceOnly, [.biometryAny, .or, .devicePasscode])
    static let presence = try! AccessRule(.always, .userPresence)

    static let fullQuery = Query(
        itemClass: .identity, attributes: attributes, sync: .any, persistentRef: [1, 2, 3],
        hostOrSubdomain: "example.org", limit: Int(UInt32.max),
        shape: [.data, .attributes, .persistentRef, .ref], asking: asking)
    static let bareQuery = Query(itemClass: nil, limit: nil)

    static let items = [
        NewItem(
            itemClass: .genericPassword, attributes: attributes, rule: rule, secret: secret("wine\n\0"), shape: .data,
            asking: asking),
        NewItem(itemClass: .key, attributes: [:], rule: presence, secret: nil),
        NewItem(itemClass: .certificate, attributes: [:], rule: presence, secret: secret("")),
    ]

    static let changes = [
        ItemChange(attributes: attributes, rule: rule, secret: secret("new")), ItemChange(), ItemChange(secret: secret("")),
    ]

    static let evaluations = [
        EvaluationRequest(
            context: 7, subject: .policy(.deviceOwner), words: words, interactionNotAllowed: true,
            reuseSeconds: 300),
        EvaluationRequest(context: 0, subject: .rule(rule, .exchangeKeys), words: PromptWords(reason: "")),
    ]

    static let hellos: [Hello] = {
        var newer = Hello(role: .app)
        newer.lowestVersion = 3
        newer.highestVersion = .max
        return [
            Hello(role: .app), newer, Hello(role: .app, label: String(repeating: "x", count: 255)),
            Hello(role: .app, label: "app.example", faceUsage: "open the vault"),
            Hello(role: .app, faceUsage: String(repeating: "x", count: 1024)),
            Hello(role: .prompt, ticket: Array(0..<32)), Hello(role: .login),
            Hello(role: .prompt, ticket: [], surface: .terminal), Hello(role: .prompt, surface: .x11(display: ":0")),
            Hello(role: .prompt, surface: .wayland(compositor: 4711)),
        ]
    }()

    static let newKey = NewKey(
        kind: .elliptic(.p521), isEnclave: true, isPermanent: false, attributes: attributes, rule: rule, asking: asking)

    static let operations: [KeyOperation] =
        [
            .sign(digest: [], .ecdsa), .sign(digest: [1, 2], .rsaPKCS1(.sha1)), .sign(digest: [1], .rsaPKCS1Raw),
            .sign(digest: [1], .rsaPSS(.sha512)), .sign(digest: [1], .rsaRaw), .agree(peer: [4, 5], .raw),
            .agree(peer: [], .x963(.sha224, count: 1, sharedInfo: [])),
            .agree(peer: [4], .x963(.sha384, count: 65536, sharedInfo: [9])),
        ]
        + [
            .rsaRaw, .rsaPKCS1, .rsaOAEP(.sha256), .rsaOAEPGCM(.sha384), .ecies(.sha1, derivesNonce: false),
            .ecies(.sha256, derivesNonce: true),
        ].map { KeyOperation.decrypt([7], $0) }

    static let signingIn = SignInWords(origin: "https://bank.example", account: "anna@bank.example", purpose: .signIn)
    static let registering = SignInWords(origin: "", account: "", purpose: .register)
}
