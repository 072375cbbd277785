import Foundation
import ThumbAccess
import ThumbAuthentication
import ThumbHelpers
import ThumbLoop

// The part that asks logind where its owner sits, asked once from a command line, so that a test can put it into a world of the test's own.
//
//     thumbturn-test-seat UID APP PROMPT (locked | unlocked) (terminal | x11 DISPLAY | wayland PROCESS | greeter | lock-screen)
//
// It prints whether a preflight of the process APP's promises a sensor, and whether a touch counts under the process PROMPT's prompt.

/// What the words that follow say that a prompt draws on; nil where they aren't understood.
func surface(_ words: [String]) -> PromptSurface? {
    switch (words.first, words.dropFirst().first) {
    case ("terminal", nil): .terminal
    case ("x11", let display?): .x11(display: display)
    case ("wayland", let process?): Int32(process).map { .wayland(compositor: $0) }
    default: nil
    }
}

func answer(_ words: [String]) -> String? {
    guard words.count >= 5, let uid = UInt32(words[0]), let app = Int32(words[1]), let prompt = Int32(words[2]) else {
        return nil
    }
    let isLocked = words[3] == "locked"
    return EventLoop.shared.sync {
        let seat = LoginSeat()
        seat.isLocked = { isLocked }
        var place = LoginSessions.place(of: app, uid: uid)
        var spot = surface(Array(words[4...])).map { seat.spot(of: prompt, uid: uid, on: $0) }
        // The daemon says so of a login whose process is in no session, or in the one that it unlocks.
        switch words[4] {
        case "greeter": (place, spot) = (.greeter, .greeter)
        case "lock-screen":
            guard let session = place.windowSession else { return nil }
            (place, spot) = (.lockScreen(session: session), .lockScreen(session: session))
        default: break
        }
        let caller = Caller(uid: uid, pid: app, kind: .consented, name: "app", groups: [], place: place)
        guard let spot else { return nil }
        let counts = seat.counts(spot, for: uid)
        return (seat.mayTouch(for: caller) ? "sensor" : "none") + (counts ? " counts" : " doesn't")
    }
}

guard let answer = answer(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
print(answer)
