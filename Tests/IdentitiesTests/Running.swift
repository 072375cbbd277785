import CThumbLinux
import Testing

/// A process of a test's, ended with this object.
final class Running {
    let pid: pid_t

    init(_ path: String, _ arguments: [String]) throws {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, path, nil, nil, &words, thumb_environment()) == 0)
        pid = process
    }

    deinit {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }
}
