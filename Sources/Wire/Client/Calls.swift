import ThumbAccess
import ThumbConversation

// How a call is made: it is sent, a prompt is started if it needs one, and its answer is read as the expected type.
extension DeviceClient {
    /// Makes a call that the daemon always answers.
    func call<Asked: Call>(_ call: Asked) throws(ClientError) -> Asked.Reply where Asked.Failure == Never {
        switch try ask(call) {
        case .success(let reply): reply
        }
    }

    /// Makes a call. If the daemon can't be asked, the call fails with its own type of failure.
    func call<Asked: Call>(_ call: Asked) throws(Asked.Failure) -> Asked.Reply where Asked.Failure: UnreachedFailure {
        try settle { () throws(ClientError) in try ask(call) }
    }

    /// The same for a call that reports its progress; `step` is called on this thread.
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

    /// Makes a call on the existing connection. It continues something that only this connection knows, so no daemon is started for it.
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

    /// - Parameter meanwhile: takes a frame that doesn't end the call; returns false if it doesn't know the frame.
    private func ask<Asked: Call>(
        _ call: Asked, meanwhile: (Frame) throws(Refusal) -> Bool = { _ in false }
    ) throws(ClientError) -> Result<Asked.Reply, Asked.Failure> {
        do {
            return try ask(call, on: try connected(), meanwhile)
        } catch  where error.nothingWasSent {
            // The daemon went away after the last call and never saw this one, so this one is safe to send to a new daemon.
            return try ask(call, on: try connected(), meanwhile)
        }
    }

    private func ask<Asked: Call>(
        _ call: Asked, on connection: DeviceConnection, _ meanwhile: (Frame) throws(Refusal) -> Bool = { _ in false }
    ) throws(ClientError) -> Result<Asked.Reply, Asked.Failure> {
        var prompt: PromptStarter?
        defer {
            if !connection.isUsable { prompt?.end() }
            prompt?.wait()
        }
        return try connection.call(call) { (frame) throws(ClientError) in
            if let wanted = try connection.read({ () throws(Refusal) in try WantedPrompt(frame) }) {
                // One call may ask twice (the old passcode, then the new). The first prompt has the terminal until it ends.
                prompt?.wait()
                prompt = try startPrompt(wanted, on: connection, call: frame.call)
                return nil
            }
            return try connection.read { () throws(Refusal) in
                if try meanwhile(frame) { return nil }
                if frame.kind == Asked.Reply.wireKind { return .success(try frame.word()) }
                // An answer that belongs to another kind of call breaks the protocol, just as an unknown word does.
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

extension ReleaseFailure: UnreachedFailure {
    static func unreached(_ failure: KeychainFailure) -> ReleaseFailure { .keychain(failure) }
}
