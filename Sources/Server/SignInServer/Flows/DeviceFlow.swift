import ThumbSignIn

/// An account's devices.
extension Flows {
    func register(_ request: Request) throws(SignInRefusal) -> Step {
        let token = try request.bearer()
        return try withSession(request) { session throws(SignInRefusal) in
            let now = self.now()
            guard session.isFresh(at: now) else { throw .notFresh }
            let members = try Members(
                request.arrived(), needed: ["key", "name", "statement", "signature"], allowed: ["protection"])
            let name = try members.text("name")
            let protection = try members.optionalText("protection") ?? ""
            guard DeviceWords.isName(name), DeviceWords.isProtection(protection) else { throw .value }
            let signature = try members.decoded("signature")
            let key = try SentKey.subjectPublicKeyInfo(try members.text("key"))
            let claim = try SignInClaim(
                statement: try members.bytes("statement"), signature: signature, at: self.origin, for: .register)
            let proof = try claim.proof(registering: key, for: session.account, self.keys)
            let device = DeviceRecord(
                id: proof.device, key: key, name: name, unverifiedProtection: protection, registered: now)
            let deed = Deed.register(proof.account, device, challenge: proof.challenge, session: token)
            return .settle(deed) { outcome throws(SignInRefusal) in
                guard case .done = outcome else { throw outcome.reason }
                var json = JSONWriter()
                json.add("device", device.id.text)
                return .answer(Answer(201, json.ended()))
            }
        }
    }

    func listDevices(_ request: Request) throws(SignInRefusal) -> Step {
        try withSession(request) { session throws(SignInRefusal) in
            .settle(.readDevices(session.account)) { outcome throws(SignInRefusal) in
                guard case .devices(let devices) = outcome else { throw outcome.reason }
                var json = JSONWriter(capacity: 64 + 256 * devices.count)
                json.add("devices", devices.map(Self.written))
                return .answer(Answer(200, json.ended()))
            }
        }
    }

    func rename(_ request: Request) throws(SignInRefusal) -> Step {
        try withDevice(request) { account, device throws(SignInRefusal) in
            let name = try Members(request.arrived(), needed: ["name"]).text("name")
            guard DeviceWords.isName(name) else { throw .value }
            return .settle(.rename(account, device, to: name)) { outcome throws(SignInRefusal) in
                switch outcome {
                case .device(let device): return .answer(Answer(200, Self.written(device)))
                case .none: throw .notFound
                default: throw outcome.reason
                }
            }
        }
    }

    /// The session's account and the path's device. A text that isn't a device's name matches no device.
    private func withDevice(
        _ request: Request, _ body: @escaping (AccountName, DeviceID) throws(SignInRefusal) -> Step
    ) throws(SignInRefusal) -> Step {
        let device = request.device.flatMap { DeviceID(text: $0) }
        return try withSession(request) { session throws(SignInRefusal) in
            guard let device else { throw .notFound }
            return try body(session.account, device)
        }
    }

    private static func written(_ device: DeviceRecord) -> [UInt8] {
        var json = JSONWriter()
        json.add("device", device.id.text)
        json.add("name", device.name)
        json.add("registered", device.registered.seconds)
        if let used = device.lastUsed { json.add("last_used", used.seconds) }
        if let revoked = device.revoked { json.add("revoked", revoked.seconds) }
        json.add("protection", device.unverifiedProtection)
        json.add("protection_verified", false)
        return json.ended()
    }
}
