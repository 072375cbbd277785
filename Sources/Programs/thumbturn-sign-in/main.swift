import Foundation
import Thumbturn

// Signs in to a server for `thumbturn sign-in`, which has read the command line and the password and becomes this program.
//
//     thumbturn-sign-in VERB words|json SERVER ACCOUNT [WORDS…] [PASSWORD-FILE]

// Requests to this machine itself must not go through a proxy, whatever the environment names.
for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] { unsafe unsetenv(name) }
signal(SIGPIPE, SIG_IGN)

let words = Array(CommandLine.arguments.dropFirst())
let isForPrograms = words.dropFirst().first == "json"
let outcome: Outcome
do throws(SignInError) {
    guard let errand = Errand(words) else {
        Outcome.say("thumbturn-sign-in: This program is started by 'thumbturn sign-in'. Run that instead.")
        exit(64)
    }
    outcome = try await errand.run()
} catch {
    outcome = Outcome(error)
}
exit(outcome.told(asJSON: isForPrograms))
