import ThumbSignIn

/// The text that Prometheus reads (its text format 0.0.4).
struct MetricsText {
    private var text = ""

    mutating func add(_ name: String, _ help: String, gauge value: Int) {
        begin(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    mutating func add(_ name: String, _ help: String, counter value: Int) {
        begin(name, help, "counter")
        text += "\(name) \(value)\n"
    }

    mutating func add(_ tally: Tally) {
        begin("thumbturn_requests_total", "Requests answered.", "counter")
        for route in Route.allCases {
            for method in Method.allCases {
                for status in Tally.statuses {
                    guard let place = Tally.place(route, method, status), tally.requests[place] > 0 else { continue }
                    text +=
                        "thumbturn_requests_total{method=\"\(method.rawValue)\",route=\"\(route.rawValue)\",status=\"\(status)\"} "
                    text += "\(tally.requests[place])\n"
                }
            }
        }
        begin("thumbturn_refusals_total", "Refusals, by the code that clients see.", "counter")
        for (refusal, count) in zip(SignInRefusal.allCases, tally.refusals) {
            text += "thumbturn_refusals_total{code=\"\(refusal.rawValue)\"} \(count)\n"
        }
        begin("thumbturn_sessions_begun_total", "Sign-ins that were right.", "counter")
        for (kind, route) in [(SessionKind.password, Route.sessions), (.device, .signIns)] {
            let place = Tally.place(route, .post, 201)
            text += "thumbturn_sessions_begun_total{kind=\"\(kind.rawValue)\"} \(place.map { tally.requests[$0] } ?? 0)\n"
        }
        begin("thumbturn_request_seconds", "From the last byte of a request to its answer.", "histogram")
        for (route, times) in zip(Route.allCases, tally.times) {
            write("thumbturn_request_seconds", "route=\"\(route.rawValue)\"", times, isTime: true)
        }
    }

    mutating func add(_ name: String, _ help: String, histogram: Histogram, isTime: Bool) {
        begin(name, help, "histogram")
        write(name, "", histogram, isTime: isTime)
    }

    private mutating func write(_ name: String, _ label: String, _ histogram: Histogram, isTime: Bool) {
        let comma = label.isEmpty ? "" : ","
        var count = 0
        for (bound, more) in zip(histogram.bounds, histogram.counts) {
            count += more
            let bound = isTime ? "\(Double(bound) / 1e9)" : "\(bound)"
            text += "\(name)_bucket{\(label)\(comma)le=\"\(bound)\"} \(count)\n"
        }
        count += histogram.counts.last ?? 0
        let braces = label.isEmpty ? "" : "{\(label)}"
        text += "\(name)_bucket{\(label)\(comma)le=\"+Inf\"} \(count)\n"
        text += "\(name)_sum\(braces) \(isTime ? "\(Double(histogram.sum) / 1e9)" : "\(histogram.sum)")\n"
        text += "\(name)_count\(braces) \(count)\n"
    }

    private mutating func begin(_ name: String, _ help: String, _ kind: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    consuming func ended() -> [UInt8] { Array(text.utf8) }
}
