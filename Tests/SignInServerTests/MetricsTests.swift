import Testing
import ThumbSignIn

@testable import ThumbSignInServer

/// The numbers as Prometheus reads them, from what two of the server's threads have counted.
@Suite("The text of the metrics")
struct MetricsTests {
    private func lines(_ fill: (inout MetricsText) -> Void) -> [String] {
        var text = MetricsText()
        fill(&text)
        return String(decoding: text.ended(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("a bound counts what was at most that, those below it included, and the last one counts all")
    func histogram() {
        var (one, other) = (Histogram([1, 2, 4]), Histogram([1, 2, 4]))
        for value: UInt64 in [1, 2, 2, 3] { one.note(value) }
        for value: UInt64 in [4, 5, 100] { other.note(value) }
        one.add(other)
        let lines = lines { $0.add("deeds", "Deeds.", histogram: one, isTime: false) }
        #expect(
            lines == [
                "# HELP deeds Deeds.", "# TYPE deeds histogram", "deeds_bucket{le=\"1\"} 1", "deeds_bucket{le=\"2\"} 3",
                "deeds_bucket{le=\"4\"} 5", "deeds_bucket{le=\"+Inf\"} 7", "deeds_sum 117", "deeds_count 7",
            ])
    }

    @Test("times are told in seconds")
    func seconds() {
        var times = Histogram([500_000, 1_000_000_000])
        times.note(250_000_000)
        times.note(1_500_000_000)
        let lines = lines { $0.add("work", "Work.", histogram: times, isTime: true) }
        #expect(
            lines.dropFirst(2) == [
                "work_bucket{le=\"0.0005\"} 0", "work_bucket{le=\"1.0\"} 1", "work_bucket{le=\"+Inf\"} 2", "work_sum 1.75",
                "work_count 2",
            ])
    }

    @Test("what all threads have answered is summed, by route, method, status and refusal")
    func sums() throws {
        let (done, refused) = (Answer(201), Answer(.credentials))
        var (one, other) = (Tally(), Tally())
        one.note(.sessions, .post, done, nanoseconds: 1)
        other.note(.sessions, .post, done, nanoseconds: 2)
        other.note(.sessions, .post, refused, nanoseconds: 3)
        other.note(.signIns, .post, done, nanoseconds: 4)
        one.add(other)
        let lines = lines { $0.add(one) }
        let (sessions, signIns) = (Route.sessions.rawValue, Route.signIns.rawValue)
        #expect(
            lines.filter { $0.hasPrefix("thumbturn_requests_total") } == [
                "thumbturn_requests_total{method=\"POST\",route=\"\(sessions)\",status=\"201\"} 2",
                "thumbturn_requests_total{method=\"POST\",route=\"\(sessions)\",status=\"\(refused.status)\"} 1",
                "thumbturn_requests_total{method=\"POST\",route=\"\(signIns)\",status=\"201\"} 1",
            ])
        #expect(
            lines.filter { $0.hasPrefix("thumbturn_refusals_total") && !$0.hasSuffix(" 0") } == [
                "thumbturn_refusals_total{code=\"\(SignInRefusal.credentials.rawValue)\"} 1"
            ])
        #expect(lines.contains("thumbturn_sessions_begun_total{kind=\"password\"} 2"))
        #expect(lines.contains("thumbturn_sessions_begun_total{kind=\"device\"} 1"))
        #expect(lines.contains("thumbturn_request_seconds_count{route=\"\(sessions)\"} 3"))
        #expect(lines.contains("thumbturn_request_seconds_sum{route=\"\(sessions)\"} 6e-09"))
    }
}
