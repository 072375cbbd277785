import ThumbAccess
import ThumbConversation

extension Session {
    /// Gives whoever asks a prompt's ticket, and says whether a window would be seen.
    func offer(_ ticket: [UInt8], to caller: Caller, _ call: UInt32) {
        if caller.place.windowSession == nil {
            send(PromptNeeded(ticket: ticket), call)
        } else {
            send(WindowNeeded(ticket: ticket), call)
        }
    }
}
