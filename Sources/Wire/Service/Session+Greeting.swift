import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbIdentities
import ThumbLoop
import ThumbPeers
import ThumbProtectedPrograms

/// What a peer may become, by its hello and by who it is.
extension Session {
    /// The role that a hello asks for; nil if nobody can tell who the peer is.
    func role(of hello: Hello, on device: Device) throws(Refusal) -> Role? {
        // A login may also show the prompt that it waits for, on its own terminal.
        let isLogin = arrived == .login
        guard isLogin ? hello.role == .login || hello.role == .prompt : hello.role != .login else { throw .notAllowedInThisRole }
        switch hello.role {
        case .app: return try app(hello, device).map { .app($0) }
        case .login: return .login(LoginCalls(self, device, service))
        case .prompt: return .prompt(try prompt(hello, device))
        case .agent: return .agent(try agent(device))
        case .polkit: return .polkit(try polkitAgent(device))
        }
    }

    private func app(_ hello: Hello, _ device: Device) throws(Refusal) -> App? {
        let caller = Callers.caller(
            peer, { facts }, label: hello.label, faceUsage: hello.faceUsage, groups: service.callerGroups,
            protected: service.protected.program(of: peer.gid), place: device.parts.place)
        guard let caller else { return nil }
        // The process may have sent more and then become another program by `exec`, before it was looked at. Only what it sends from here
        // on is surely sent by the program that was seen.
        if hasSomething { throw .notAllowedInThisRole }
        return App(self, device, service.population, caller)
    }

    /// Attaches it to the prompt of its ticket. Returns what hears its words.
    private func prompt(_ hello: Hello, _ device: Device) throws(Refusal) -> (PromptWord) -> Void {
        guard vouches(on: device) else { throw .notAllowedInThisRole }
        guard let ticket = hello.ticket else { throw .ticketNotGood }
        // A login is root's, and shows its prompt to the user whose device this is.
        let uid = arrived == .login ? service.onlyUser ?? peer.uid : peer.uid
        guard let hear = device.parts.prompts.attach(self, ticket: ticket, uid: uid, at: spot(hello.surface, uid, device)) else {
            throw .ticketNotGood
        }
        return hear
    }

    /// Where a prompt is shown that says this of its surface.
    private func spot(_ surface: PromptSurface?, _ uid: UInt32, _ device: Device) -> PromptSpot {
        let seat = device.parts.seat
        let spot = surface.map { seat.spot(of: peer.pid, uid: uid, on: $0) } ?? .elsewhere
        guard arrived == .login else { return spot }
        // Before there is a session, a login shows it on its own console, or has the greeter show it.
        if surface == nil {
            return device.parts.place(uid, peer.pid).windowSession.map { .lockScreen(session: $0) } ?? .greeter
        }
        guard spot == .elsewhere, let console = seat.loginConsole(of: peer.pid) else { return spot }
        return .loginConsole(terminal: console)
    }

    /// Only if its user sits at this machine, and only one of them. Otherwise it would learn who is asked elsewhere.
    private func agent(_ device: Device) throws(Refusal) -> any PromptSource {
        guard vouches(on: device), let session = device.parts.place(peer.uid, peer.pid).windowSession,
            device.parts.prompts.register(self, uid: peer.uid, session: session)
        else { throw .notAllowedInThisRole }
        return device.parts.prompts
    }

    /// What it says is shown to the owner, so it has to be root's. In user mode nobody is.
    private func polkitAgent(_ device: Device) throws(Refusal) -> PolkitCalls {
        guard device.parts.mode == .system, vouches(on: device), device.parts.place(peer.uid, peer.pid).windowSession != nil
        else { throw .notAllowedInThisRole }
        return PolkitCalls(self, device, uid: peer.uid)
    }

    /// Who the peer is, according to the kernel and /proc.
    private var facts: PeerFacts? {
        defer { contents = nil }
        switch arrived {
        case .program(let facts)?: return service.digests.complete(facts, with: contents ?? PeerContents())
        case .login?: return nil
        case nil: return ProcessFacts.of(peer, on: fd).map { service.digests.complete($0.facts, with: $0.contents) }
        }
    }

    /// Whether this peer may show prompts. With the system's daemon only programs that root installed for this may: a program of the user's
    /// could show one thing and have the owner touch the sensor for another.
    private func vouches(on device: Device) -> Bool {
        device.parts.mode != .system || peer.uid == 0 || service.protected.program(of: peer.gid)?.showsPrompts == true
    }
}
