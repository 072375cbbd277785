import CThumbLinux
import ThumbAccess
public import ThumbBus
public import ThumbLoop

/// Polkit's authentication agent in a user's session: what polkit wants is asked in Thumbturn's window, for a finger or the password.
///
/// It hears polkit alone, over the system's bus, and tells polkit nothing. That is for polkit's own helper, which runs as root.
@OnLoop public final class PolkitAgent {
    nonisolated static let path = "/org/thumbturn/PolkitAgent"
    private nonisolated static let polkit = "org.freedesktop.PolicyKit1"
    private nonisolated static let authorityPath = "/org/freedesktop/PolicyKit1/Authority"
    private nonisolated static let authority = "org.freedesktop.PolicyKit1.Authority"
    private nonisolated static let logind = "org.freedesktop.login1"
    /// How many values a message may have: polkit tells all its actions at once, some hundreds with a dozen values each.
    public nonisolated static let valueLimit = 50_000
    /// Questions that may be open at once. Polkit has one for each program that waits.
    private nonisolated static let mostQuestions = 16
    private nonisolated static let seconds = 10.0

    /// Why the agent doesn't serve.
    public enum Failure: Error {
        /// The user has no session in front of a display.
        case noSession
        /// The daemon isn't there, or doesn't take this agent.
        case noDaemon
        /// Polkit isn't there.
        case noPolkit
        /// The session has another agent, or polkit doesn't take this one.
        case notTaken
    }

    private let bus: Bus
    private let owner: BusOwner
    private let sessions: BusOwner
    private let places: PolkitPlaces
    private let locale: String
    private let log: (String) -> Void
    /// Called when the agent can't serve any more. While there is none, polkit's programs ask in their own terminal.
    public var onFailure: ((Failure) -> Void)?
    /// The questions that are open, by polkit's name for each.
    private var questions: [String: PolkitQuestion] = [:]
    /// The polkit that knows this agent.
    private var registeredAt: String?
    private var (isRegistering, mustRegister) = (false, false)

    /// - Parameters:
    ///   - users: the users as whom polkit and the login manager may run.
    ///   - locale: the language that polkit's messages should be in.
    public init(
        _ bus: Bus, users: Set<UInt32>, _ places: PolkitPlaces, locale: String, log: @escaping (String) -> Void
    ) {
        (self.bus, self.places, self.locale, self.log) = (bus, places, locale, log)
        owner = BusOwner(bus, Self.polkit, expectedUsers: users)
        sessions = BusOwner(bus, Self.logind, expectedUsers: users)
        owner.onLoss = { [weak self] in
            // Nobody waits for the answers any longer.
            for question in self?.questions.values ?? [:].values { question.cancel() }
        }
    }

    /// Serves as the session's agent from now on.
    public func begin() async throws(Failure) {
        // An agent that can't ask would only keep others from it.
        guard await places.link() != nil else { throw .noDaemon }
        bus.export(self)
        // A new polkit knows no agents.
        owner.onArrival = { [weak self] in
            EventLoop.shared.spawn { await self?.registerAgain() }
        }
        try await registerInTurn()
    }

    private func registerAgain() async {
        do throws(Failure) { try await registerInTurn() } catch { onFailure?(error) }
    }

    /// One registration at a time: polkit would refuse a second one as another agent's. A polkit that comes meanwhile gets its own.
    private func registerInTurn() async throws(Failure) {
        mustRegister = true
        guard !isRegistering else { return }
        isRegistering = true
        defer { isRegistering = false }
        while mustRegister {
            mustRegister = false
            do throws(Failure) {
                try await register()
            } catch {
                // If another polkit came meanwhile, this one's end says nothing.
                guard mustRegister, error == .noPolkit else { throw error }
            }
        }
    }

    private func register() async throws(Failure) {
        let session = try await ownSession()
        let subject = BusValue.structure([
            .string("unix-session"), .array([.entry([.string("session-id"), .variant(.string(session))])]),
        ])
        let connection: String
        do { connection = try await owner.find(within: Self.seconds) } catch { throw .noPolkit }
        if connection == registeredAt { return }
        do throws(BusError) {
            _ = try await bus.call(
                BusCall(
                    connection, Self.authorityPath, Self.authority, "RegisterAuthenticationAgent",
                    [subject, .string(locale), .string(Self.path)]),
                within: Self.seconds)
            registeredAt = connection
        } catch {
            // Only an answer says that another agent is there. A polkit that is just starting or ending gives none.
            throw error.code == .refused ? .notTaken : .noPolkit
        }
    }

    /// The name of the session in which the user sees windows.
    private func ownSession() async throws(Failure) -> String {
        let display: BusMessage
        do throws(BusError) {
            let connection = try await sessions.find(within: Self.seconds)
            let user = try await bus.call(
                BusCall(connection, "/org/freedesktop/login1", Self.logind + ".Manager", "GetUser", [.uint32(getuid())]),
                within: Self.seconds
            ).values.first?.text
            guard let user else { throw BusError(.malformed) }
            display = try await bus.call(
                BusCall(
                    connection, user, "org.freedesktop.DBus.Properties", "Get",
                    [.string(Self.logind + ".User"), .string("Display")]),
                within: Self.seconds)
        } catch {
            throw error.code == .refused ? .noSession : .noPolkit
        }
        guard let name = display.values.first?.list?.first?.text, !name.isEmpty else { throw .noSession }
        return name
    }

    // MARK: What polkit calls

    private lazy var interface = BusInterface(
        "org.freedesktop.PolicyKit1.AuthenticationAgent",
        methods: [
            BusMethod(
                "BeginAuthentication",
                takes: [
                    "action_id": "s", "message": "s", "icon_name": "s", "details": "a{ss}", "cookie": "s",
                    "identities": "a(sa{sv})",
                ]
            ) { [weak self] call async throws(BusFailure) in
                try await self?.begin(call)
                return []
            },
            BusMethod("CancelAuthentication", takes: ["cookie": "s"]) { [weak self] call async throws(BusFailure) in
                try await self?.checkCaller(call)
                guard let question = self?.questions[call.values[0].text ?? ""] else {
                    throw Self.failed("No such question is open.")
                }
                question.cancel()
                return []
            },
        ])

    private static func failed(_ message: String) -> BusFailure { BusFailure("\(polkit).Error.Failed", message) }

    /// Polkit alone may ask. Anybody else could have the owner's touch for words of their own.
    private func checkCaller(_ call: BusInvocation) async throws(BusFailure) {
        do throws(BusError) {
            guard try await owner.find(within: Self.seconds).utf8.elementsEqual(call.sender.utf8) else {
                throw BusError(.refused)
            }
        } catch {
            throw .accessDenied("Only polkit may ask.")
        }
    }

    private func begin(_ call: BusInvocation) async throws(BusFailure) {
        try await checkCaller(call)
        guard let asked = PolkitCall(call.values, user: getuid()), questions[asked.cookie] == nil else {
            throw Self.failed("The question can't be understood, or nobody that it names has an account here.")
        }
        guard questions.count < Self.mostQuestions else { throw Self.failed("Too many questions are open.") }
        let question = PolkitQuestion(asked, places, log: log)
        questions[asked.cookie] = question
        defer { questions[asked.cookie] = nil }
        let ending = await withTaskCancellationHandler {
            await question.run { [weak self] in await self?.known(asked.action) }
        } onCancel: {
            question.cancel()
        }
        switch ending {
        case .authorized: return
        case .cancelled: throw BusFailure("\(Self.polkit).Error.Cancelled", "The question was cancelled.")
        case .failed: throw Self.failed("Nobody was authorized.")
        case .nobodyAsked:
            onFailure?(.noDaemon)
            throw Self.failed("Thumbturn's daemon can't ask. Run 'thumbturn doctor' to see why.")
        }
    }

    /// What polkit knows of an action; nil if it doesn't say, for whatever reason. Then no finger counts.
    private func known(_ action: ExactName) async -> KnownAction? {
        guard let connection = owner.connection else { return nil }
        let reply = try? await bus.call(
            BusCall(connection, Self.authorityPath, Self.authority, "EnumerateActions", [.string(locale)]), within: Self.seconds)
        return KnownAction(action, in: reply?.values.first?.list ?? [])
    }
}

extension PolkitAgent: @OnLoop BusObjects {
    public func interfaces(at path: String) -> [BusInterface]? { path == Self.path ? [interface] : nil }
    public func children(of path: String) -> [String] { [] }
}
