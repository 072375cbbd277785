import LocalAuthentication
import Testing
import ThumbClient
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

extension DeviceTests {
    /// How evaluations reply, and when they end without a verdict.
    @Suite struct EvaluationTests {
        @Test("17: the reply comes once, on no thread that the caller or the main program owns, never within the call")
        func reply() async {
            await withDevice { device in
                device.answer(.match)
                replyWhileBlocked()
            }
        }

        /// The caller's thread is blocked until the reply: were it called within the call, it would be on that thread.
        private func replyWhileBlocked() {
            let context = LAContext()
            let replied = DispatchSemaphore(value: 0)
            let seen = Locked<[(isMain: Bool, thread: pthread_t)]>([])
            context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "r") { _, _ in
                seen.withLock { $0.append((Thread.isMainThread, pthread_self())) }
                replied.signal()
            }
            #expect(replied.wait(timeout: .now() + 60) == .success)
            #expect(replied.wait(timeout: .now()) == .timedOut)
            let all = seen.withLock { $0 }
            #expect(all.count == 1 && all.first?.isMain == false)
            #expect(all.first.map { pthread_equal($0.thread, pthread_self()) } == 0)
        }

        @Test("18: an evaluation waits for its owner, and ends as a system cancel after thirty seconds without an act of theirs")
        func noTimeout() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending(context)
                settle()
                device.advance(by: 29)
                settle()
                #expect(pending.count == 0 && device.prompts.map(\.outcome) == [nil])
                device.advance(by: 1)
                #expect(await pending.code == .systemCancel)
            }
        }

        /// The forms in which something is evaluated by an object that nobody else holds.
        enum Form: CaseIterable {
            case policy, accessControl, awaited, right
        }

        private func begin(_ form: Form) -> Pending {
            Pending { reply in
                switch form {
                case .policy: LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r", reply: reply)
                case .accessControl:
                    LAContext().evaluateAccessControl(
                        Item.control(.userPresence), operation: .useItem, localizedReason: "r", reply: reply)
                case .awaited:
                    Task {
                        let code = await LAContext().ask(.deviceOwnerAuthentication)
                        reply(code == nil, code.map { LAError($0) })
                    }
                case .right: LARight().authorize(localizedReason: "r") { reply($0 == nil, $0) }
                }
            }
        }

        @Test("19: a context that nobody holds is kept until the owner has answered, in every form", arguments: Form.allCases)
        func unheld(_ form: Form) async {
            await withDevice { device in
                device.answer(.nothing)
                let pending = begin(form)
                await eventually("the prompt is up") { !device.prompts.isEmpty }
                settle()
                #expect(pending.count == 0 && device.prompts.map(\.outcome) == [nil])
                device.answer(.match)
                #expect(await pending.code == nil)
                #expect(device.prompts.map(\.outcome) == [.success])
            }
        }

        @Test("19: a device that goes away ends the evaluation of a context that nobody holds", arguments: Form.allCases)
        func unheldAndLost(_ form: Form) async {
            await withDevice { device in
                device.answer(.nothing)
                let pending = begin(form)
                await eventually("the prompt is up") { !device.prompts.isEmpty }
                device.restart()
                #expect(await pending.code == .systemCancel)
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
            }
        }

        @Test("19: a context is kept no longer than until its reply")
        func keptUntilReply() async {
            await withDevice { device in
                device.answer(.match)
                weak var seen: LAContext?
                let pending = {
                    let context = LAContext()
                    seen = context
                    return Pending(context)
                }()
                #expect(await pending.code == nil)
                // The thread that replied lets go of it.
                await eventually("nobody holds the context") { seen == nil }
            }
        }

        @Test("20: invalidating cancels what is pending, refuses what comes, and does nothing the second time")
        func invalidation() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending(context)
                settle()
                context.invalidate()
                #expect(await pending.code == .appCancel)
                #expect(await context.ask() == .invalidContext)
                #expect(context.preflight() == .invalidContext)
                context.invalidate()
                #expect(await context.ask(.deviceOwnerAuthentication) == .invalidContext)
                #expect(pending.count == 1 && device.prompts.count == 1)
            }
        }

        @Test("20: invalidating a context that had succeeded takes its success back, in the keychain too")
        func invalidationAfterSuccess() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.match)
                let context = LAContext()
                #expect(await context.ask() == nil)
                #expect(Item.read(context).secret == Item.secret)
                context.invalidate()
                #expect(await context.ask() == .invalidContext)
                #expect(Item.read(context).status == errSecAuthFailed)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("21: an invalidated context reads as new, and holds no credential")
        func defaults() async {
            await withDevice { _ in
                let context = LAContext()
                context.localizedFallbackTitle = "Other"
                context.interactionNotAllowed = true
                context.touchIDAuthenticationAllowableReuseDuration = 10
                context.invalidate()
                #expect(context.localizedFallbackTitle == nil && !context.interactionNotAllowed)
                #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
                #expect(!context.setCredential(Data("p".utf8), type: .applicationPassword))
                #expect(!context.isCredentialSet(.applicationPassword))
            }
        }

        @Test("22: invalidating takes the prompt of an access control away too")
        func invalidateAccessControl() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending {
                    context.evaluateAccessControl(
                        Item.control(.userPresence), operation: .useItem, localizedReason: "r", reply: $0)
                }
                settle()
                #expect(device.prompts.map(\.outcome) == [nil])
                context.invalidate()
                #expect(await pending.code == .appCancel)
                #expect(device.prompts.map(\.outcome) == [.cancelled])
            }
        }

        @Test("23: an empty reason is a programming error, and traps")
        func emptyReason() async {
            await #expect(processExitsWith: .failure) {
                SimulatedDevice().install()
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") { _, _ in }
            }
            await #expect(processExitsWith: .failure) {
                SimulatedDevice().install()
                LAContext().evaluateAccessControl(Item.control(.userPresence), operation: .useItem, localizedReason: "") {
                    _, _ in
                }
            }
            // What traps is the reason, not the way here.
            await #expect(processExitsWith: .success) {
                let device = SimulatedDevice().install()
                device.answer(.match)
                let code = await LAContext().ask()
                device.uninstall()
                exit(code == nil ? 0 : 1)
            }
        }

        @Test("24: the property is the reason of a keychain call's prompt; a reason that is passed wins")
        func reasons() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.match, .match)
                let implicit = LAContext()
                implicit.localizedReason = "of the property"
                #expect(Item.read(implicit).status == errSecSuccess)
                let explicit = LAContext()
                explicit.localizedReason = "of the property"
                #expect(await explicit.ask() == nil)
                #expect(device.prompts.map(\.reason) == ["of the property", "a test asks"])
            }
        }

        @Test(
            "25: a prompt shows the reason, for a face too, and the program's file, whatever the program calls itself",
            arguments: CapabilityTests.sensors.map(\.0))
        func shown(_ sensor: SimulatedDevice.Biometry) async throws {
            let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            // Any context introduces the program as it is; what is said here is said after that.
            _ = LAContext()
            await withDevice(sensor) { device in
                DeviceClient.shared.introduce(as: "com.example.bank")
                defer { DeviceClient.shared.introduce(as: nil) }
                device.install()
                let biometry: [LAPolicy] = sensor == .none ? [] : [.deviceOwnerAuthenticationWithBiometrics]
                for policy in biometry + [.deviceOwnerAuthentication] {
                    for (reason, title) in [("open the vault", nil), ("pay the bill", "Use another way")] {
                        let context = LAContext()
                        context.localizedFallbackTitle = title
                        device.answer(.cancel)
                        let pending = Pending { context.evaluatePolicy(policy, localizedReason: reason, reply: $0) }
                        #expect(await pending.code == .userCancel)
                        let prompt = device.prompts.last
                        #expect(prompt?.reason == reason && prompt?.fallbackTitle == title)
                        #expect(prompt?.appName == URL(filePath: file).lastPathComponent)
                    }
                }
                #expect(device.prompts.count == (sensor == .none ? 2 : 4))
            }
        }

        @Test("26: the async form returns true or throws an LAError, and its result may be ignored")
        func asyncForm() async throws {
            try await withDevice { device in
                device.answer(.match, .cancel)
                let isOwner = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
                #expect(isOwner)
                await #expect(throws: LAError.self) {
                    try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
                }
            }
        }

        @Test("27: a second evaluation takes the first one's place: the first is cancelled by the system")
        func second() async {
            await withDevice { device in
                // Both at once: an answer that came later would go to the prompt that is up and waits.
                device.answer(.nothing, .match)
                let earlier = LAContext(), later = LAContext()
                let first = Pending(earlier)
                settle()
                let second = Pending(later)
                #expect(await first.code == .systemCancel)
                #expect(await second.code == nil)
                #expect(device.prompts.map(\.outcome) == [.cancelled, .success])
            }
        }

        @Test("28: locking the session, or the system taking the prompt, is a cancel by the system")
        func systemCancel() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending(context, .deviceOwnerAuthentication)
                settle()
                device.lock()
                #expect(await pending.code == .systemCancel)
                device.answer(.systemCancel)
                #expect(await LAContext().ask() == .systemCancel)
            }
        }

        @Test("29: only the app's own doing is an app's cancel")
        func onlyAppCancels() async {
            await withDevice { device in
                device.answer(.cancel, .systemCancel, .noMatch, .fallback)
                var codes: [Code?] = []
                for _ in 1...3 { codes.append(await LAContext().ask()) }
                #expect(codes == [.userCancel, .systemCancel, .userFallback])
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending(context)
                settle()
                device.restart()
                #expect(await pending.code == .systemCancel)
            }
        }
    }
}
