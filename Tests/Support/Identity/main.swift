import CThumbLinux
import ThumbDaemonProcess
import ThumbIdentities

// Says who processes are, as a provider with other groups than the user's would: a line with a number, and then a line with the identity,
// or a hyphen if there is none; `keep` remembers the last, and `still` says whether it is the same.
// `harden` does what the provider does at its start, and `give up` what the others do.

let facts = ReaderFacts()
var mark: ReaderMark?
while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    var answer = "-"
    if words == ["still"] {
        answer = mark.map { facts.isStill($0) ? "yes" : "no" } ?? "-"
    } else if words == ["harden"] || words == ["give", "up"] {
        Hardening.apply(words == ["harden"] ? .kept : .givenUp)
        answer = "\(getgid()) \(getegid())"
    } else if words == ["groups"] {
        answer = "\(getgid()) \(getegid())"
    } else if let pid = words.first.flatMap({ Int32($0) }), let found = facts.of(pid: pid, uid: getuid(), groups: []) {
        mark = found.mark
        answer = found.reader.identity.text
    }
    print(answer)
    fflush(nil)
}
