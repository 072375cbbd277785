import ThumbAccess
import ThumbSecrets
import ThumbSimulation

/// What the owner of a simulated device does.
extension SimulatedDevice {
    /// What the owner does at a prompt.
    public enum Answer: Sendable {
        /// Puts an enrolled finger on the sensor, or shows an enrolled face.
        case match
        /// Puts a strange finger on the sensor, or shows a strange face.
        case noMatch
        /// Presses the cancel button.
        case cancel
        /// Presses the fallback button.
        case fallback
        /// Types this passcode, right or wrong.
        case passcode(String)
        /// Does nothing, and the system closes the prompt.
        case systemCancel
        /// Does nothing; the prompt stays up until it is cancelled or another answer is added.
        case nothing
        /// Says yes, or no, at a paired companion that is near.
        case companion(Bool)
    }

    /// Adds answers, which the next prompts use in order. A prompt that is up and waiting gets the next one at once.
    public func answer(_ answers: Answer...) {
        let scripted = answers.map(Self.scripted)
        onLoop { device in for answer in scripted { device.running.prompts.add(answer) } }
    }

    /// Answers every prompt in the same way from now on; nil goes back to the script.
    public func answerAlways(_ answer: Answer?) {
        let scripted = answer.map(Self.scripted)
        onLoop { $0.running.prompts.standingAnswer = scripted }
    }

    /// Approves every prompt from now on: by the sensor if it listens, and otherwise by the passcode.
    public func approveEverything() {
        let passcode: SecretBytes? = guardian.withLock { self.passcode }
        onLoop { $0.running.prompts.standingAnswer = .approve(passcode) }
    }

    private static func scripted(_ answer: Answer) -> ScriptedAnswer {
        switch answer {
        case .match: .match
        case .noMatch: .noMatch
        case .cancel: .cancel
        case .fallback: .fallback
        case .passcode(let text): .passcode(secret(text))
        case .systemCancel: .systemCancel
        case .nothing: .nothing
        case .companion(let isYes): .companion(isYes ? .yes : .refused)
        }
    }

    /// Every prompt shown so far, in order.
    public var prompts: [Prompt] { onLoop { $0.running.prompts.shown.map(Prompt.init) } }

    /// Answers that no prompt has used yet.
    public var unusedAnswers: Int { onLoop { $0.running.prompts.unusedAnswers } }
}
