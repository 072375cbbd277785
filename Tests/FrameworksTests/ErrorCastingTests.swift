import LocalAuthentication
import Testing
import ThumbAccess

/// Every way in which apps look at the errors of this module.
struct ErrorCastingTests {
    let error: any Error = LAError(.userCancel, userInfo: [NSLocalizedDescriptionKey: "words"])
    let object: any Error = NSError(domain: LAErrorDomain, code: -2, userInfo: [NSLocalizedDescriptionKey: "words"])

    @Test("an LAError casts to LAError and to NSError")
    func fromStruct() {
        #expect((error as? LAError)?.code == .userCancel)
        #expect((error as NSError).domain == "com.apple.LocalAuthentication")
        #expect((error as NSError).code == LAError.userCancel.rawValue)
        #expect((error as NSError).code == Int(kLAErrorUserCancel))
        #expect(error.localizedDescription == "words")
        #expect(error._code == -2)
        #expect(error._domain == LAErrorDomain)
    }

    @Test("an NSError in the domain casts to LAError")
    func fromObject() {
        #expect((object as? LAError)?.code == .userCancel)
        let plain = NSError(domain: LAErrorDomain, code: -8)
        #expect((plain as? LAError)?.code == .biometryLockout)
        var optional: NSError? = plain
        #expect((optional as? LAError)?.code == .biometryLockout)
        optional = nil
        #expect((optional as? LAError)?.code == nil)
    }

    @Test("an NSError of another domain or with a code that has no name isn't an LAError")
    func refused() {
        #expect((NSError(domain: NSCocoaErrorDomain, code: -2) as? LAError) == nil)
        #expect((NSError(domain: LAErrorDomain, code: -1009) as? LAError) == nil)
    }

    @Test("a thrown error is caught by type, by name and as NSError, whichever of the two it was")
    func caught() {
        for thrown in [error, object] {
            do { throw thrown } catch let e as LAError { #expect(e.code == .userCancel) } catch { Issue.record("missed") }
            do { throw thrown } catch LAError.userCancel {} catch { Issue.record("missed") }
            do { throw thrown } catch LAError.appCancel { Issue.record("wrong code") } catch {}
            do { throw thrown } catch let e as NSError { #expect(e.code == -2) }
            switch thrown {
            case LAError.authenticationFailed: Issue.record("wrong code")
            case LAError.userCancel: break
            default: Issue.record("missed")
            }
        }
    }

    @Test("in a plain catch every error converts to an NSError, one of the app's own too")
    func converted() {
        enum Own: Error { case broken }
        func raise(_ thrown: any Error) throws -> Never { throw thrown }
        func converted(_ thrown: any Error) -> NSError {
            do { try raise(thrown) } catch { return error as NSError }
        }
        for thrown in [error, object] { #expect(converted(thrown).domain == LAErrorDomain && converted(thrown).code == -2) }
        #expect(converted(Own.broken).domain.hasSuffix("Own"))
    }

    @Test("equal errors hash equally; errors differ by code and by user info")
    func hashing() {
        #expect(Set([LAError(.userCancel), LAError(.userCancel), LAError(.appCancel)]).count == 2)
        #expect(LAError(.userCancel) == LAError(.userCancel))
        #expect(LAError(.userCancel) != LAError(.userCancel, userInfo: ["k": 1]))
        #expect(LAError(.userFallback).errorUserInfo.isEmpty)
        #expect(LAError(.userFallback).errorCode == -3)
        #expect(LAError.errorDomain == kLAErrorDomain)
    }

    @Test(
        "91: the newer names are aliases of the cases, and codes have Apple's numbers",
        arguments: [
            (LAError.Code.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4),
            (.passcodeNotSet, -5), (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8),
            (.appCancel, -9), (.invalidContext, -10), (.companionNotAvailable, -11), (.biometryNotPaired, -12),
            (.biometryDisconnected, -13), (.invalidDimensions, -14), (.notInteractive, -1004),
        ])
    func numbers(_ code: LAError.Code, _ number: Int) {
        #expect(code.rawValue == number)
        #expect(LAError.Code(rawValue: number) == code)
    }

    @Test("every failure of the house becomes an error with words of its own")
    func words() {
        let all = EvaluationFailure.allCases.map { LAError(failure: $0) }
        #expect(all.allSatisfy { $0.localizedDescription.count > 10 })
        #expect(Set(all.map(\.localizedDescription)).count == EvaluationFailure.allCases.count)
        #expect(LAError(failure: .deviceFailure).code == .systemCancel)
        #expect(LAError(failure: .biometryLockout).code == .biometryLockout)
    }
}
