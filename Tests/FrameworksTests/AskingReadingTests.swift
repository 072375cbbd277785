import Foundation
import LocalAuthentication
import Testing
import ThumbAccess
import ThumbLocalAuthenticationAPI
import ThumbSecurityAPI

/// How a keychain call may ask the owner (behaviours 62, 72, 91, 92, 96, 97).
struct AskingReadingTests {
    func terms(_ parts: [String: Any], for call: QueryCall = .copyMatching) throws(KeychainFailure) -> AskingTerms {
        var parts = parts
        parts["class"] = "genp"
        return try Query(parts as CFDictionary, for: call).asking
    }

    @Test("the default is to ask, without a context")
    func plain() throws { #expect(try terms([:]) == AskingTerms()) }

    @Test("91: Fail, the older no-UI key and a context that forbids it keep from asking")
    func fail() throws {
        #expect(try terms(["u_AuthUI": "u_AuthUIF"]).permission == .fail)
        #expect(try terms(["u_NoAuthUI": true]).permission == .fail)
        #expect(try terms(["u_NoAuthUI": false]).permission == .allow)
        let context = LAContext(device: FakeDevice())
        context.interactionNotAllowed = true
        #expect(try terms([kSecUseAuthenticationContext as String: context]).permission == .fail)
        #expect(failure { () throws(KeychainFailure) in try terms(["u_AuthUI": "sometimes"]) } == .parameter)
    }

    @Test("92: Skip is for searching alone")
    func skip() throws {
        let skip = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]
        #expect(try terms(skip).permission == .skip)
        #expect(failure { () throws(KeychainFailure) in try terms(skip, for: .update) } == .parameter)
        #expect(failure { () throws(KeychainFailure) in try terms(skip, for: .delete) } == .parameter)
        let item = ["class": "genp", "u_AuthUI": "u_AuthUIS"] as CFDictionary
        #expect(failure { () throws(KeychainFailure) in try NewItem(item) } == .parameter)
    }

    @Test("91, 92: where two say how to ask, the one that asks less counts, whichever it is")
    func stricter() throws {
        let (silent, usual) = (LAContext(device: FakeDevice()), LAContext(device: FakeDevice()))
        silent.interactionNotAllowed = true
        func permission(_ said: String, _ key: String, _ value: Any) throws -> PromptPermission {
            try terms(["u_AuthUI": said, key: value]).permission
        }
        #expect(try permission("u_AuthUIA", "u_AuthCtx", silent) == .fail)
        #expect(try permission("u_AuthUIA", "u_AuthCtx", usual) == .allow)
        #expect(try permission("u_AuthUIF", "u_AuthCtx", usual) == .fail)
        #expect(try permission("u_AuthUIS", "u_AuthCtx", silent) == .skip)
        // A dictionary has no order: these two are read either way round.
        #expect(try permission("u_AuthUIA", "u_NoAuthUI", true) == .fail)
        #expect(try permission("u_AuthUIS", "u_NoAuthUI", true) == .skip)
    }

    @Test("94, 97: a context brings its number and its words, which win over the older prompt key")
    func context() throws {
        let context = LAContext(device: FakeDevice())
        #expect(try terms(["u_AuthCtx": context, "u_OpPrompt": "older"]).words.reason == "older")
        context.localizedReason = "newer"
        context.localizedFallbackTitle = ""
        let asking = try terms(["u_AuthCtx": context, "u_OpPrompt": "older"])
        #expect(asking.context == 1)
        #expect(asking.words == PromptWords(reason: "newer", fallbackTitle: "", cancelTitle: nil))
        #expect(try terms(["u_OpPrompt": "older"]).words.reason == "older")
        #expect(failure { () throws(KeychainFailure) in try terms(["u_OpPrompt": 1]) } == .parameter)
    }

    @Test("96: what isn't a context is -50, and so is a context beside a credential")
    func wrongContext() {
        #expect(failure { () throws(KeychainFailure) in try terms(["u_AuthCtx": "context"]) } == .parameter)
        let both = ["u_AuthCtx": LAContext(device: FakeDevice()), "u_CredRef": Data()] as [String: Any]
        #expect(failure { () throws(KeychainFailure) in try terms(both) } == .parameter)
    }

    @Test("96: an invalidated context is -25293, whether or not the daemon has heard of it")
    func invalidated() {
        let context = LAContext(device: FakeDevice())
        context.invalidate()
        #expect(failure { () throws(KeychainFailure) in try terms(["u_AuthCtx": context]) } == .authenticationFailed)
    }

    @Test("words are cut to what travels, between characters")
    func long() throws {
        let words = try terms(["u_OpPrompt": String(repeating: "é", count: QueryLimit.wordsBytes)]).words
        #expect(words.reason.utf8.count == QueryLimit.wordsBytes)
        #expect(words.reason.allSatisfy { $0 == "é" })
    }
}
