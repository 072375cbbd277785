import CThumbLinux
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbSystem

// pam_exec runs this at a login or a change of password. It takes the typed password from standard input to the system's daemon, which
// opens the passcode class with it, or replaces the previous one by it. It decides nothing and prints nothing. Nothing that goes wrong here
// may keep anybody from logging in, so it always ends with 0, and soon.

/// A login waits for this, so it doesn't wait long.
let patience = 20

/// The password from pam_exec: at most its 512 bytes, with or without a zero byte at the end. It is empty if pam_exec passes none, as older
/// ones do at a change of password.
func typed() -> SecretBytes? {
    guard
        // If it can't be read or held there is no password, which is no reason to keep anybody out.
        let all = try? unsafe SecretBytes(filling: 513, with: { room in try unsafe Transfer.fill(room, from: 0) }),
        all.count <= 512
    else { return nil }
    return !all.isEmpty && all[all.count - 1] == 0 ? try? all.slice(0..<all.count - 1) : all
}

/// What pam_exec says by this name. It puts its own words behind those of PAM's environment, which a user may have written: the last one
/// counts. The library's own way to look would find none where passwd runs this, since its user isn't root.
func variable(_ name: String) -> String? {
    var found: String?
    var place = unsafe thumb_environment()
    while let entry = unsafe place?.pointee {
        let words = unsafe String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if words.count == 2, words[0] == name { found = String(words[1]) }
        unsafe place = place?.advanced(by: 1)
    }
    return found
}

/// A connection to the front, if root runs it, and to nobody else.
func connected() -> Int32? {
    guard case .success(let fd) = UnixSocket.connect(to: "/run/thumbturn/login") else { return nil }
    guard UnixSocket.peer(of: fd)?.uid == 0 else { return nil }
    var time = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        _ = unsafe setsockopt(fd, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    return fd
}

func say(_ word: some Word, on fd: Int32, _ frames: inout FrameReader) -> Frame? {
    let encoded = word.frame(call: 1)
    var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
    guard frame.send(to: fd, waiting: true) == .sent, case .frame(let body) = frames.read(from: fd, waiting: true) else {
        return nil
    }
    return try? Frame(body)
}

_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
thumb_ignore_signal(SIGPIPE)
// This also works if somebody keeps standard input open.
thumb_on_signal(SIGALRM) { _ in _exit(0) }
alarm(UInt32(patience))

// Only root may say what a password is, and only these two moments have one.
guard geteuid() == 0, let moment = variable("PAM_TYPE"), moment == "auth" || moment == "password",
    let name = variable("PAM_USER"), let entry = unsafe getpwnam(name), let password = typed(),
    !password.isEmpty || moment == "password", let fd = connected()
else { exit(0) }
let uid = unsafe entry.pointee.pw_uid
var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome)
// The front passes the connection on to that user's device. It answers before anything else may be said.
if say(Whose(uid: uid), on: fd, &frames)?.kind == .done, say(Hello(role: .login), on: fd, &frames)?.kind == .welcome {
    _ = say(OfferPasscode(uid: uid, password, isNew: moment == "password"), on: fd, &frames)
}
exit(0)
