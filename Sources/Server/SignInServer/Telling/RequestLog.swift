import ThumbSignIn
import ThumbSystem

/// One thread's lines about requests, until they are written. They have method, route, status and time, and nothing that a client sent.
struct LogLines {
    private var bytes: [UInt8] = []
    private(set) var dropped = 0
    private var second: Int64 = -1
    private var stamp: [UInt8] = []

    mutating func add(_ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64, at now: Moment) {
        guard bytes.count < Limits.logBytes else {
            dropped += 1
            return
        }
        if now.seconds != second {
            second = now.seconds
            stamp = Array(Calendar.written(now).utf8)
        }
        bytes += stamp
        bytes.append(UInt8(ascii: " "))
        bytes += method.rawValue.utf8
        bytes.append(UInt8(ascii: " "))
        bytes += route.rawValue.utf8
        bytes.append(UInt8(ascii: " "))
        bytes += String(answer.status).utf8
        if let refusal = answer.refusal {
            bytes.append(UInt8(ascii: " "))
            bytes += refusal.rawValue.utf8
        }
        bytes.append(UInt8(ascii: " "))
        bytes += String(nanoseconds / 1000).utf8
        bytes += "us\n".utf8
    }

    mutating func taken() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

/// Where lines are written: standard error, which the journal reads.
enum LogFile {
    static func write(_ bytes: [UInt8]) {
        // Even if nobody takes the log, requests are answered.
        try? Transfer.write(bytes, to: 2)
    }

    static func line(_ text: String, at now: Moment) { write(Array("\(Calendar.written(now)) \(text)\n".utf8)) }
}

/// A moment's date and time in UTC.
enum Calendar {
    /// In the form 2026-11-21T23:44:13Z.
    static func written(_ moment: Moment) -> String {
        let day = Int(moment.seconds >= 0 ? moment.seconds / 86_400 : (moment.seconds - 86_399) / 86_400)
        let second = Int(moment.seconds) - day * 86_400
        // Years begin in March here, in eras of 400 years, so that a leap day is the last day of its year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(year)-\(two(month))-\(two(dayOfYear - (153 * part + 2) / 5 + 1))"
        return "\(date)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
