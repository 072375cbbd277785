import CThumbLinux
import ThumbAccess
import ThumbConversation

// The helper that runs PAM. It has one conversation with the daemon and one with a stack of PAM modules, then it ends. Modules are foreign
// code; everything that they load and leave behind ends with this process.
//
// Descriptor 0 is the socket to the daemon. With `--face` the stack is asked for a face, otherwise the account's password is judged.

_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
var none = rlimit(rlim_cur: 0, rlim_max: 0)
unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
// Modules copy what was typed into ordinary memory. If locking is refused, that may be swapped out, as in any other login.
mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE))
thumb_ignore_signal(SIGPIPE)
// Modules wait for programs that they start.
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
    // If it isn't root, pam_unix has unix_chkpwd read the shadow file. If that may gain no privileges, it calls every password wrong.
    let isBound = getuid() != 0 && thumb_prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0
    // PAM's strings end with a zero byte. If the password contains one, PAM would judge only a part of it.
    if isBound || asked.password.hasZero {
        verdict = (isBound ? .unavailable : .wrong, 0)
    } else {
        verdict = Stack.judge(service: "thumbturn", account: asked.uid, password: asked.password, asking: daemon.ask)
    }
case (.look(let asked), true):
    // Nobody types in front of a camera. A stack that asks for words isn't meant for faces.
    verdict = Stack.judge(service: "thumbturn-face", account: asked.uid, password: nil, asking: { _ in nil })
default: exit(1)
}
let isTold = daemon.tell(HelperVerdict(verdict.0, delay: verdict.delay))
Descendants.end()
exit(isTold ? 0 : 1)
