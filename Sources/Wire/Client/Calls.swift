import ThumbAccess
import ThumbConversation

// How a call is made: said, its prompt started, its answer read as what it has to be.
extension DeviceClient {
    /// Makes a call that the daemon always answers.
    func call<Asked: Call>(_ call: Asked) throws(ClientError) -> Asked.Reply where Asked.Failure == Never {
        switch try ask(call) {
        case .success(let reply): reply
        }
    }

    /// Makes a call; a daemon that can't be asked fails it in the call's own words.
    func call<Asked: Call>(_ call: Asked) throws(Asked.Failure) -> Asked.Reply where Asked.Failure: UnreachedFailure {
        try settle { () throws(ClientError) in try ask(call) }
    }

    /// The same for a call that tells how far it has come; `step` hears it on this thread.
    func call<Asked: SteppedCall>(
        _ call: Asked, step: (Asked.Step) -> Void
    ) throws(Asked.Failure) -> Asked.Reply where Asked.Failure: UnreachedFailure {
        try settle { () throws(ClientError) in
            try ask(call) { (frame) throws(Refusal) in
                guard frame.kind == Asked.Step.wireKind else { return false }
                step(try frame.word())
                return true
            }
        }
    }

    /// Makes a call that is answered by several words of one kind.
    func call<Asked: Call>(
        _ call: Asked, each: (Asked.Reply) -> Void
    ) throws(Asked.Failure) where Asked.Failure: UnreachedFailure {
        let last: Asked.Reply = try settle { () throws(ClientError) in
            try ask(call) { (frame) throws(Refusal) in
                guard frame.kind == Asked.Reply.wireKind else { return false }
                let part = try frame.word(Asked.Reply.self)
                if part.isLast { return false }
                each(part)
                return true
            }
        }
        each(last)
    }

    /// Makes a call on the connection there is: what it belongs to is known nowhere else, and no daemon is started for it.
    func callAgain<Asked: Call>(_ call: Asked) throws(Asked.Failure) -> Asked.Reply where Asked.Failure: UnreachedFailure {
        guard let connection = existing() else { throw .unreached(.deviceUnreachable) }
        return try settle { () throws(ClientError) in try ask(call, on: connection) }
    }

    private func settle<Value, Failure: UnreachedFailure>(
        _ body: () throws(ClientError) -> Result<Value, Failure>
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do {
            result = try body()
        } catch {
            throw .unreached(error.keychainFailure)
        }
        return try result.get()
    }

    /// - Parameter meanwhile: takes a frame that doesn't end the call; false where it knows nothing of it.
    private func ask<Asked: Call>(
        _ call: Asked, meanwhile: (Frame) throws(Refusal) -> Bool = { _ in false }
    ) throws(ClientError) -> Result<Asked.Reply, Asked.Failure> {
        do {
            return try ask(call, on: try connected(), meanwhile)
        } catch  where error.nothingWasSent {
            // The daemon had gone since the last call and never saw this one: a new one may.
            return try ask(call, on: try connected(), meanwhile)
        }
    }

    private func ask<Asked: Call>(
        _ call: Asked, on connection: DeviceConnection, _ meanwhile: (Frame) throws(Refusal) -> Bool = { _ in false }
    ) throws(ClientError) -> Result<Asked.Reply, Asked.Failure> {
        var prompt: PromptStarter?
        defer { prompt?.wait() }
        return try connection.call(call) { (frame) throws(ClientError) in
            if let wanted = try connection.read({ () throws(Refusal) in try WantedPrompt(frame) }) {
                // One call may ask twice (the old passcode, then the new): the terminal is the first prompt's until it ends.
                prompt?.wait()
                prompt = try startPrompt(wanted, on: connection, call: frame.call)
                return nil
            }
            return try connection.read { () throws(Refusal) in
                if try meanwhile(frame) { return nil }
                if frame.kind == Asked.Reply.wireKind { return .success(try frame.word()) }
                // What answers another call and not this one is as good as no word at all.
                guard let failure = try Asked.Failure(frame) else { throw .unknownKind }
                return .failure(failure)
            }
        }
    }
}

/// A failure that also says that the daemon could not be asked.
protocol UnreachedFailure: CallFailure {
    static func unreached(_ failure: KeychainFailure) -> Self
}

extension KeychainFailure: UnreachedFailure {
    static func unreached(_ failure: KeychainFailure) -> KeychainFailure { failure }
}

extension BackupError: UnreachedFailure {
    static func unreached(_ failure: KeychainFailure) -> BackupError { .keychain(failure) }
}

extension FingerFailure: UnreachedFailure {
    static func unreached(_ failure: KeychainFailure) -> FingerFailure { .keychain(failure) }
}

extension KeyUseFailure: UnreachedFailure {
    static func unreached(_ failure: KeychainFailure) -> KeyUseFailure { .keychain(failure) }
}
