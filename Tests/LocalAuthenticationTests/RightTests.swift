import Dispatch
import LocalAuthentication
import Observation
import Testing
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

/// What a right's call failed with: nil for success.
func failure(_ body: () async throws -> Void) async -> NSError? {
    do {
        try await body()
        return nil
    } catch {
        return error as NSError
    }
}

extension NSError {
    var owner: Code? { domain == LAErrorDomain ? Code(rawValue: code) : nil }
    var status: OSStatus? { domain == NSOSStatusErrorDomain ? OSStatus(code) : nil }
}

extension DeviceTests {
    /// Rights that aren't stored.
    @Suite struct RightTests {
        @Test("71: unknown, then authorizing while the owner is asked, then authorized; not any more after deauthorizing")
        func states() async throws {
            try await withDevice { device in
                let right = LARight()
                #expect(right.state == .unknown && right.tag == 0)
                device.answer(.nothing)
                let pending = Pending { reply in right.authorize(localizedReason: "r") { reply($0 == nil, $0) } }
                #expect(right.state == .authorizing)
                settle()
                #expect(device.prompts.count == 1)
                await right.deauthorize()
                #expect(right.state == .notAuthorized)
                #expect(await pending.code == .appCancel)
                device.answer(.match)
                try await right.authorize(localizedReason: "r")
                #expect(right.state == .authorized)
                await withCheckedContinuation { done in right.deauthorize { done.resume() } }
                #expect(right.state == .notAuthorized)
                device.answer(.cancel)
                #expect(await failure { try await right.authorize(localizedReason: "r") }?.owner == .userCancel)
                #expect(right.state == .notAuthorized)
                #expect([LARight.State.unknown, .authorizing, .authorized, .notAuthorized].map(\.rawValue) == [0, 1, 2, 3])
            }
        }

        @Test("71: a right that nobody holds stays until its owner has answered, and what it authorized ends with it")
        func unheld() async {
            await withDevice { device in
                device.answer(.nothing)
                weak var seen: LARight?
                let pending = {
                    let right = LARight()
                    seen = right
                    return Pending { reply in right.authorize(localizedReason: "r") { reply($0 == nil, $0) } }
                }()
                settle()
                #expect(device.prompts.map(\.outcome) == [nil] && seen?.state == .authorizing)
                device.answer(.match)
                #expect(await pending.code == nil)
                await eventually("nobody holds the right") { seen == nil }
            }
        }

        @Test("71: the end of an attempt that was taken back ends no attempt that follows it")
        func lateEnd() async {
            await withDevice { device in
                let right = LARight()
                func begin() -> Pending { Pending { reply in right.authorize(localizedReason: "r") { reply($0 == nil, $0) } } }
                device.answer(.nothing, .nothing)
                let first = begin()
                await eventually("the prompt is up and waits") { device.unusedAnswers == 1 }
                // The queue on which an end is told is busy until the second one has begun.
                let hasBegun = DispatchSemaphore(value: 0)
                for _ in 0..<64 { LARight().checkCanAuthorize { _ in hasBegun.wait() } }
                right.deauthorize {}
                let second = begin()
                for _ in 0..<64 { hasBegun.signal() }
                #expect(await first.code == .appCancel)
                await eventually("the second prompt is up and waits") { device.unusedAnswers == 0 }
                settle()
                #expect(right.state == .authorizing && second.count == 0)
                device.answer(.match)
                #expect(await second.code == nil && right.state == .authorized)
            }
        }

        @Test("72: the state can be observed")
        func observed() async throws {
            try await withDevice { device in
                let right = LARight()
                let changes = Locked(0)
                withObservationTracking {
                    _ = right.state
                } onChange: {
                    changes.withLock { $0 += 1 }
                }
                device.answer(.match)
                try await right.authorize(localizedReason: "r")
                #expect(changes.withLock { $0 } == 1)
            }
        }

        @Test("74: without a requirement a finger or the passcode will do", arguments: [true, false])
        func standard(byFinger: Bool) async throws {
            try await withDevice { device in
                device.answer(byFinger ? .match : .passcode("1234"))
                let right = LARight()
                try await right.authorize(localizedReason: "open the vault")
                #expect(device.prompts.map(\.reason) == ["open the vault"])
                #expect(LAAuthenticationRequirement() == .default && LAAuthenticationRequirement.default != .biometry)
            }
        }

        @Test("75: checking shows nothing, leaves the state, and fails where the requirement can't be met")
        func checking() async {
            await withDevice(enrolled: []) { device in
                let (standard, strict) = (LARight(), LARight(requirement: .biometry))
                #expect(await failure { try await standard.checkCanAuthorize() } == nil)
                #expect(await failure { try await strict.checkCanAuthorize() }?.owner == .biometryNotEnrolled)
                let told = await withCheckedContinuation { done in
                    strict.checkCanAuthorize { done.resume(returning: $0 as NSError?) }
                }
                #expect(told?.owner == .biometryNotEnrolled)
                #expect(standard.state == .unknown && strict.state == .unknown && device.prompts.isEmpty)
            }
            await withDevice(passcode: nil) { _ in
                #expect(await failure { try await LARight().checkCanAuthorize() }?.owner == .passcodeNotSet)
            }
        }

        @Test("76: biometry takes no passcode, and fails where there is no sensor")
        func biometry() async {
            await withDevice(.none) { device in
                let right = LARight(requirement: .biometry)
                #expect(await failure { try await right.authorize(localizedReason: "r") }?.owner == .biometryNotAvailable)
                #expect(right.state == .notAuthorized && device.prompts.isEmpty)
            }
            await withDevice { device in
                let right = LARight(requirement: .biometry)
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(await failure { try await right.authorize(localizedReason: "r") }?.owner == .authenticationFailed)
            }
        }

        @Test("76: the current set is the one at the right's making; after a change it fails for good, unasked")
        func currentSet() async throws {
            try await withDevice { device in
                let right = LARight(requirement: .biometryCurrentSet)
                device.answer(.match)
                try await right.authorize(localizedReason: "r")
                await right.deauthorize()
                device.enroll("another")
                #expect(await failure { try await right.checkCanAuthorize() }?.owner == .biometryNotEnrolled)
                #expect(await failure { try await right.authorize(localizedReason: "r") }?.owner == .biometryNotEnrolled)
                #expect(right.state == .notAuthorized && device.prompts.count == 1)
                device.answer(.match)
                try await LARight(requirement: .biometryCurrentSet).authorize(localizedReason: "r")
            }
        }

        @Test("76: a fallback counts where biometry failed, isn't there or isn't wanted", arguments: [true, false])
        func fallback(isDefault: Bool) async throws {
            let fallback: LABiometryFallbackRequirement = isDefault ? .default : .devicePasscode
            for biometry in [SimulatedDevice.Biometry.touchID, .none] {
                try await withDevice(biometry) { device in
                    let right = LARight(requirement: .biometry(fallback: fallback))
                    #expect(await failure { try await right.checkCanAuthorize() } == nil)
                    device.answer(.passcode("1234"))
                    try await right.authorize(localizedReason: "r")
                    #expect(right.state == .authorized)
                }
            }
        }

        @Test(
            "77: whoever asks while the owner is asked gets that one answer; after a yes nobody is asked again, after a no they are",
            arguments: [true, false])
        func together(isAllowed: Bool) async throws {
            try await withDevice { device in
                let right = LARight()
                func begin() -> Pending { Pending { reply in right.authorize(localizedReason: "r") { reply($0 == nil, $0) } } }
                device.answer(.nothing)
                let first = begin()
                await eventually("the prompt is up") { !device.prompts.isEmpty }
                let all = [first, begin(), begin()]
                settle()
                #expect(device.prompts.map(\.outcome) == [nil] && right.state == .authorizing)
                #expect(all.allSatisfy { $0.count == 0 })

                device.answer(isAllowed ? .match : .cancel)
                for one in all { #expect(await one.code == (isAllowed ? nil : .userCancel) && one.count == 1) }
                #expect(right.state == (isAllowed ? .authorized : .notAuthorized))
                if !isAllowed { device.answer(.match) }
                try await right.authorize(localizedReason: "r")
                #expect(right.state == .authorized && device.prompts.count == (isAllowed ? 1 : 2))
            }
        }

        @Test("77: an empty reason traps")
        func emptyReason() async {
            await #expect(processExitsWith: .failure) {
                SimulatedDevice().install()
                LARight().authorize(localizedReason: "") { _ in }
            }
            // What traps is the reason, not the way here.
            await #expect(processExitsWith: .success) {
                let device = SimulatedDevice().install()
                device.answer(.match)
                let error = await failure { try await LARight().authorize(localizedReason: "r") }
                device.uninstall()
                exit(error == nil ? 0 : 1)
            }
        }
    }
}
