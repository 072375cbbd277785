import LocalAuthentication

/// Says what came of it, and ends, or stays until somebody kills it.
func end(_ words: String, stays: Bool = false) {
    FileHandle.standardOutput.write(Data("\(words)\n".utf8))
    if !stays { exit(0) }
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "log-in": logIn(password: words.contains("password")) { end($0, stays: words.contains("stay")) }
case "see-owner": seeOwner { end($0) }
case "see-and-end": seeAndEnd { end($0) }
case "cases":
    answerCases()
    exit(0)
default:
    end("usage: thumbturn-test-ported log-in [password] [stay] | see-owner | see-and-end | cases")
}
dispatchMain()
