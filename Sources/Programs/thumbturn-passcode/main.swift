import CThumbLinux
import ThumbAccess
import ThumbConversation

// The helper that runs PAM: one conversation with the daemon, one with a stack of PAM modules, then it ends. Modules are foreign
// code; what they load and leave behind goes with this process.
//
// Descriptor 0 is the socket to the daemon. `--face` asks the stack for a face, without it the account's password is judged.

_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
var none = rlimit(rlim_cur: 0, rlim_max: 0)
unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
// Modules copy what was typed into ordinary memory. Where locking is refused it may be swapped out, as in any other login.
mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE))
thumb_ignore_signal(SIGPIPE)
// Modules wait for programs of theirs.
thumb_default_signal(SIGCHLD)
Descendants.adopt()
clearenv()
unsafe setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1)
unsafe chdir("/")

let face: Bool
switch Array(CommandLine.arguments.dropFirst()) {
case []: face = false
case ["--face"]: face = true
default: exit(64)
}

guard let daemon = Daemon(fd: 0) else {
    let line = Array("thumbturn-passcode: The daemon starts this program; it does nothing by itself.\n".utf8)
    unsafe line.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress, $0.count) }
    exit(1)
}
guard let request = daemon.next() else { exit(1) }
let verdict: (AccountVerdict, delay: Double)
switch (request, face) {
case (.check(let asked), false):
    // A user's pam_unix has unix_chkpwd read the shadow file. Where that may gain no privileges, it calls every password wrong.
    let isBound = getuid() != 0 && thumb_prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0
    // PAM takes words that end with a zero byte: of a password with one within, it would judge a part.
    if isBound || asked.password.hasZero {
        verdict = (isBound ? .unavailable : .wrong, 0)
    } else {
        verdict = Stack.judge(service: "thumbturn", account: asked.uid, password: asked.password, asking: daemon.ask)
    }
case (.look(let asked), true):
    // Before a camera nobody types: a stack that asks for words isn't one for faces.
    verdict = Stack.judge(service: "thumbturn-face", account: asked.uid, password: nil, asking: { _ in nil })
default: exit(1)
}
let isTold = daemon.tell(HelperVerdict(verdict.0, delay: verdict.delay))
Descendants.end()
exit(isTold ? 0 : 1)
