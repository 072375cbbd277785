import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_login

/// What a login takes where finger and password are asked at once: from the finger on the reader, or from the end of the password, to the
/// end of the program that asked. That is pamtester on a terminal of its own, under pam_wrapper. Behind it stand the front, a device, the
/// reader's broker and the real fprintd. In turn with them, pam_unix judges the same password alone.
enum LoginBench {
    private static let rounds = 100
    /// Nobody waits longer for the side that they chose, in milliseconds, in any round.
    private static let most = 200.0
    /// Nor does a daemon that hangs keep the password's question from anybody for longer.
    private static let mostUntilAsked = 1000.0

    static func run(_ report: Report) throws {
        guard geteuid() == 0 else {
            print("bench login: not measured; it takes root")
            return
        }
        let stage = try waiting { try await FingerStage.start() }
        let hall = try waiting { try await Hall(stage) }
        let folder = "/tmp/lb-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/disk", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let house = try House(in: folder, on: stage)
        defer { house.end() }
        try hall.enroll(try WirePeer(house.socket))
        let logins = try LoginStage(.folder(folder + "/run"), module: .wrapped)
        var (finger, password, alone, claimed) = (Samples(), Samples(), Samples(), Samples())
        for round in -rounds / 10..<rounds {
            let times = (
                try touch(hall, logins), try type(hall, logins, service: "su"), try type(hall, logins, service: "bare")
            )
            // The first tenth warms up.
            if round < 0 { continue }
            finger.add(times.0)
            password.add(times.1)
            alone.add(times.2)
        }
        // Somebody else has the reader.
        try waiting { try await hall.claim() }
        for _ in 0..<rounds { claimed.add(try type(nil, logins, service: "su")) }
        try waiting { try await hall.release() }
        let hanging = try LoginStage(.silent(after: 1, closes: false), module: .wrapped)
        var (asked, askedAlone, opened) = (Samples(), Samples(), Samples())
        for _ in 0..<rounds / 5 {
            asked.add(try begin(hanging, service: "su"))
            askedAlone.add(try begin(hanging, service: "bare"))
            opened.add(try open(hanging))
        }
        report.bench("login-finger", finger, "ms")
        report.bench("login-password", password, "ms")
        report.bench("login-password-reader-taken", claimed, "ms")
        report.bench("login-pam-unix", alone, "ms", peer: PeerCase.pamUnix)
        report.bench("login-asked-daemon-hangs", asked, "ms")
        report.bench("login-asked-pam-unix", askedAlone, "ms", peer: PeerCase.pamUnix)
        report.bench("login-session-daemon-hangs", opened, "ms")
        report.ratio("login-finger-worst-ms", finger.most, .atMost(most))
        report.ratio("login-password-worst-beyond-pam-unix-ms", password.most - alone.median, .atMost(most))
        report.ratio("login-password-reader-taken-worst-beyond-pam-unix-ms", claimed.most - alone.median, .atMost(most))
        report.ratio("login-asked-daemon-hangs-worst-beyond-pam-unix-ms", asked.most - askedAlone.median, .atMost(mostUntilAsked))
        report.ratio("login-session-daemon-hangs-worst-beyond-pam-unix-ms", opened.most - alone.median, .atMost(mostUntilAsked))
    }

    /// Logs in by finger. Returns the milliseconds from the finger to the end.
    private static func touch(_ hall: Hall, _ logins: LoginStage) throws -> Double {
        EventLoop.shared.sync { hall.isThere = true }
        let applicant = try logins.su()
        guard try applicant.end() == 0 else { throw BenchError("a finger let nobody in: \(applicant.said)") }
        return Hall.now - hall.shownAt
    }

    /// Logs in by password. Returns the milliseconds from the program's start to the password's question.
    private static func begin(_ logins: LoginStage, service: String) throws -> Double {
        let start = Hall.now
        let applicant = try logins.su(service: service)
        try applicant.wait(for: "Password: ")
        let asked = Hall.now
        applicant.type(LoginStage.password + "\n")
        guard try applicant.end() == 0 else { throw BenchError("the password let nobody in: \(applicant.said)") }
        return asked - start
    }

    /// Logs in by password and opens a session, whose password goes to the daemon. Returns the milliseconds from the password to the end.
    private static func open(_ logins: LoginStage) throws -> Double {
        let applicant = try logins.start(["/usr/bin/pamtester", "typed", "owner", "authenticate", "open_session"])
        try applicant.wait(for: "Password: ")
        let start = Hall.now
        applicant.type(LoginStage.password + "\n")
        guard try applicant.end() == 0 else { throw BenchError("the password let nobody in: \(applicant.said)") }
        return Hall.now - start
    }

    /// Types the password once it is asked for, where there is a reader with the finger's question above it. Returns the milliseconds from
    /// there to the end.
    private static func type(_ hall: Hall?, _ logins: LoginStage, service: String) throws -> Double {
        if let hall { EventLoop.shared.sync { hall.isThere = false } }
        let applicant = try logins.su(service: service)
        try applicant.wait(for: "Password: ")
        if hall != nil, service != "bare" { try applicant.wait(for: "Touch the sensor") }
        let start = Hall.now
        applicant.type(LoginStage.password + "\n")
        guard try applicant.end() == 0 else { throw BenchError("the password let nobody in: \(applicant.said)") }
        return Hall.now - start
    }
}
