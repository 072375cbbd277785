import Foundation
import Testing

@testable import ThumbLogging

@Suite("The form of a log's lines") struct LogTextTests {
    /// One line with an event and a status, in that form.
    private func line(_ form: LogForm, _ event: String, marks: Bool = false) -> String {
        var text = LogText(form, marksLevels: marks)
        text.begin(.warning, at: 1_795_304_653)
        text.add(.event, event)
        text.add(.status, 503)
        text.end()
        return String(decoding: text.taken(), as: UTF8.self)
    }

    @Test("logfmt has name=value, JSON an object, and each has the same fields")
    func forms() {
        #expect(line(.logfmt, "ended") == "time=2026-11-21T23:44:13Z level=warning event=ended status=503\n")
        #expect(
            line(.json, "ended")
                == #"{"time":"2026-11-21T23:44:13Z","level":"warning","event":"ended","status":503}"# + "\n")
    }

    @Test("A line for the journal begins with its level", arguments: LogForm.allCases)
    func journal(_ form: LogForm) { #expect(line(form, "x", marks: true) == "<4>" + line(form, "x")) }

    /// What somebody could try to write into a log, and the quoted form of it.
    private static let tricks: [(String, String)] = [
        ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#), (#"say "yes""#, #""say \"yes\"""#),
        (#"C:\x"#, #""C:\\x""#), ("x\nlevel=error event=forged", #""x\nlevel=error event=forged""#),
        ("a\r\tb", #""a\r\tb""#), ("\u{0}\u{1b}[31m\u{7f}", #""\u0000\u001b[31m\u007f""#),
        ("\u{85}\u{2028}", #""\u0085\u2028""#), ("\u{202e}evil\u{2066}", #""\u202eevil\u2066""#),
        ("\u{e0001}", #""\udb40\udc01""#), ("Grüße", #""Grüße""#),
    ]

    @Test("No value ends its line or its field, in either form", arguments: tricks)
    func escapes(_ value: String, _ quoted: String) throws {
        #expect(line(.logfmt, value) == "time=2026-11-21T23:44:13Z level=warning event=\(quoted) status=503\n")
        let json = line(.json, value)
        // The other side of it: a reader gets exactly what was written.
        let read = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(read["event"] as? String == value && Set(read.keys) == ["time", "level", "event", "status"])
        #expect(json.split(separator: "\n").count == 1)
        #expect(json.contains("\"event\":\(quoted),"))
    }

    @Test("A value of plain characters stands bare in logfmt, whatever characters these are")
    func plain() {
        let marks = Set("\"\\=".utf8)
        let bare = String(decoding: (0x21...0x7E).filter { !marks.contains($0) }, as: UTF8.self)
        #expect(bare.count == 91 && line(.logfmt, bare).contains(" event=\(bare) "))
    }

    @Test("Each line has its own time, although one text writes them all", arguments: LogForm.allCases)
    func times(_ form: LogForm) {
        var text = LogText(form)
        func written(_ moments: [Int64]) -> [String] {
            for seconds in moments {
                text.begin(.info, at: seconds)
                text.end()
            }
            return String(decoding: text.taken(), as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let (early, late) = ("1970-01-01T00:00:00Z", "2000-02-29T00:00:00Z")
        for moments in [[0, 951_782_400, 951_782_400, 0], [951_782_400, 0]] as [[Int64]] {
            let lines = written(moments)
            #expect(lines.count == moments.count)
            for (line, seconds) in zip(lines, moments) { #expect(line.contains(seconds == 0 ? early : late), "\(line)") }
        }
    }

    @Test("A client has its process, its user and the number of its call")
    func client() {
        var text = LogText(.logfmt)
        for call in [nil, UInt32.max] {
            text.begin(.notice, at: 0)
            text.add(LogClient(uid: 1000, pid: 4711, call: call))
            text.end()
        }
        let time = "time=1970-01-01T00:00:00Z level=notice"
        #expect(
            String(decoding: text.taken(), as: UTF8.self)
                == "\(time) client=4711 uid=1000\n\(time) client=4711 uid=1000 request=4294967295\n")
        #expect(text.bytes.isEmpty)
    }

    @Test(
        "A time is written as the calendar has it",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] as [(Int64, String)])
    func calendar(_ seconds: Int64, _ written: String) { #expect(CalendarTime.written(seconds) == written) }
}
