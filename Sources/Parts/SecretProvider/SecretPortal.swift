import CThumbLinux
import ThumbAccess
import ThumbBus
public import ThumbLoop
import ThumbSecretService
import ThumbSecrets
import ThumbSystem

/// The backend of the Secret portal: each app in a sandbox has one secret here, from which it derives its own keys.
///
/// It listens to the portal alone. The portal says which app asks, and the app never talks to us.
@OnLoop public final class SecretPortal {
    /// The name under which the portal finds its backend.
    public nonisolated static let name = "org.freedesktop.impl.portal.desktop.thumbturn"
    nonisolated static let path = "/org/freedesktop/portal/desktop"
    /// Who may call.
    private nonisolated static let portal = "org.freedesktop.portal.Desktop"
    /// As long as the longest key that an app could want from it.
    private nonisolated static let secretBytes = 64
    /// The longest name of an app: D-Bus's own limit for a name.
    private nonisolated static let appBytes = 255
    private nonisolated static let secondsForName = 5.0

    /// How a call ended, in the portal's numbers.
    private enum Response: UInt32 { case done = 0, cancelled, other }

    private unowned let provider: SecretProvider
    private let owner: BusOwner
    /// What is asked now, by the path at which the portal can take it back.
    private var requests: [String: PromptPlan] = [:]

    init(_ provider: SecretProvider) {
        self.provider = provider
        owner = BusOwner(provider.bus, Self.portal, expectedUser: getuid())
        owner.onLoss = { [weak self] in
            // Nobody waits for the answers any longer.
            guard let self else { return }
            for plan in requests.values { plan.withdraw() }
        }
    }

    /// What the portal calls.
    private(set) lazy var interface = BusInterface(
        "org.freedesktop.impl.portal.Secret",
        methods: [
            BusMethod(
                "RetrieveSecret", takes: ["handle": "o", "app_id": "s", "fd": "h", "options": "a{sv}"],
                gives: ["response": "u", "results": "a{sv}"]
            ) { [weak self] call async throws(BusFailure) in
                guard let self else { throw BusFailure(ServiceFailure.failed) }
                return [.uint32(try await retrieve(call).rawValue), .array([])]
            }
        ],
        properties: [BusProperty("version", "u", changes: .never, now: { (_) throws(BusFailure) in .uint32(1) })])

    /// What is at a request's path as long as it isn't answered.
    private(set) lazy var request = BusInterface(
        "org.freedesktop.impl.portal.Request",
        methods: [
            BusMethod("Close") { [weak self] call throws(BusFailure) in
                // Whoever may ask may take back, and nobody else.
                guard let plan = self?.requests[call.path], plan.client.utf8.elementsEqual(call.sender.utf8) else {
                    throw .accessDenied("Only the portal may take an app's question back.")
                }
                plan.withdraw()
                return []
            }
        ])

    /// Whether there is a request at a path.
    func hasRequest(at path: String) -> Bool { requests[path] != nil }

    private func retrieve(_ call: BusInvocation) async throws(BusFailure) -> Response {
        do throws(BusError) {
            guard try await owner.find(within: Self.secondsForName).utf8.elementsEqual(call.sender.utf8) else {
                throw BusError(.refused)
            }
        } catch {
            throw .accessDenied("Only the portal may ask for an app's secret.")
        }
        guard let handle = call.values[0].text, requests[handle] == nil, let app = call.values[1].text, Self.isApp(app),
            case .descriptor(let pipe) = call.values[2]
        else { return .other }
        let program = ProgramWords(kind: .sandboxed, name: ExactName(app))
        let reader = Reader(identity: GroupName.sandboxed(.flatpak(app)), program: program)
        let plan = PromptPlan(.unlock([]), reader, call.sender)
        requests[handle] = plan
        defer { requests[handle] = nil }
        do throws(ServiceFailure) {
            let secret = try await secret(of: app, plan)
            if plan.isWithdrawn { return .cancelled }
            return Self.write(secret, to: pipe.number) ? .done : .other
        } catch {
            return error == .isLocked ? .cancelled : .other
        }
    }

    /// Whether a text can be an app's name.
    private static func isApp(_ text: String) -> Bool {
        (1...appBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || CollectionName(String(UnicodeScalar(byte))) != nil
            }
    }

    /// The app's secret, drawn when it is first asked for. Opens the store first if it has to.
    private func secret(of app: String, _ plan: PromptPlan) async throws(ServiceFailure) -> SecretBytes {
        let reader = plan.reader
        if try !provider.readable([], by: reader, plan.client).isOpen {
            guard await provider.ownerAgrees("open what is kept for \(reader.program.quoted)", plan: plan) else {
                throw .isLocked
            }
            provider.isLoaded = false
        }
        try await provider.loadIfNeeded()
        let attributes = try ItemAttributes([
            ItemAttributes.Pair(ItemAttributes.schema, "org.thumbturn.PortalSecret"),
            ItemAttributes.Pair("app_id", ExactName(app)),
        ])
        return try await provider.changes.run { () throws(ServiceFailure) in
            if let item = provider.catalog.replaced(by: attributes, in: .login, of: reader.identity) {
                guard let secret = try provider.door.release([item.reference], for: reader)[item.reference] else {
                    throw .isLocked
                }
                return secret
            }
            let secret: SecretBytes
            do { secret = try SecretBytes.random(count: Self.secretBytes) } catch { throw .failed }
            try await provider.add(
                "The app \(SafeText(app))", attributes, secret, contentType: "application/octet-stream", in: .login, by: reader,
                maker: reader.identity)
            return secret
        }
    }

    /// Writes a secret to the app's pipe. Returns whether all of it is there.
    ///
    /// The app must not hold the loop up by what it gave us. So we write only to a pipe, and open it anew ourselves, in a way that never
    /// waits. A pipe that nobody reads any more can't be opened so, and then the app gets nothing.
    private static func write(_ secret: SecretBytes, to fd: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(fd, &status) == 0, Int32(status.st_mode) & S_IFMT == S_IFIFO else { return false }
        guard let own = try? Descriptor(opening: "/proc/self/fd/\(fd)", O_WRONLY | O_NONBLOCK) else { return false }
        return unsafe secret.withUnsafeBytes { unsafe CThumbLinux.write(own.number, $0.baseAddress, $0.count) } == secret.count
    }
}
