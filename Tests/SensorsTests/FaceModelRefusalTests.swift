import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import thumbturn_test_daemon

@testable import ThumbSensors

/// Models that somebody else could change, or that aren't what the administrator named.
@Suite("Face models that are refused") struct FaceModelRefusalTests {
    @Test("a link is refused: the file itself, a folder on the way, and one inside a folder")
    func links() throws {
        let stage = try FaceModelStage(["faces/%u.dat", "way/%u/face", "set/%u"])
        let manager = FileManager.default
        for folder in ["way", "set", "set/ada", "real"] { try stage.mkdir(folder) }
        try stage.write("real/face")
        func refused(_ link: String, to target: String) throws {
            try manager.createSymbolicLink(atPath: stage.path + "/" + link, withDestinationPath: stage.path + "/" + target)
            let failure = stage.failure()
            #expect(failure == .link(stage.path + "/" + link) && failure?.hindrance.distrustsModels == true)
            Tally.check("a link among the models of faces is followed: \(link)", succeeded: failure == nil)
            try stage.remove(link)
        }
        try refused("faces/ada.dat", to: "real/face")
        try refused("way/ada", to: "real")
        try refused("set/ada/1", to: "real/face")
        #expect(stage.failure() == nil)
    }

    @Test(
        "what belongs to another user than root and the daemon's own is refused, wherever it lies",
        .enabled(if: getuid() == 0, "takes root, to give a file away"))
    func owners() throws {
        let stage = try FaceModelStage(["faces/%u/face"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/face")
        for name in ["faces/ada/face", "faces/ada", "faces"] {
            try #require(chown(stage.path + "/" + name, 1, 1) == 0)
            let failure = stage.failure()
            #expect(failure == .foreign(stage.path + "/" + name, owner: 1) && failure?.hindrance.distrustsModels == true)
            Tally.check("models of faces that another user owns are read: \(name)", succeeded: failure == nil)
            try #require(chown(stage.path + "/" + name, 0, 0) == 0)
        }
        #expect(stage.failure() == nil)
    }

    @Test("what others can write is refused; a folder on the way may have a sticky bit, the models' own may not")
    func writable() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/1")
        func failure(_ name: String, _ mode: mode_t, back: mode_t) throws -> FaceModelFailure? {
            try stage.allow(name, mode)
            let failure = stage.failure()
            try stage.allow(name, back)
            return failure
        }
        for (name, mode, back) in [
            ("faces/ada/1", 0o664, 0o644), ("faces/ada/1", 0o646, 0o644), ("faces/ada", 0o775, 0o755),
            ("faces/ada", 0o757, 0o755),
            ("faces/ada", 0o1777, 0o755), ("faces", 0o775, 0o755), ("faces", 0o757, 0o755),
        ] as [(String, mode_t, mode_t)] {
            let found = try failure(name, mode, back: back)
            #expect(found == .writable(stage.path + "/" + name, mode: mode), "\(name) \(mode)")
            #expect(found?.hindrance.distrustsModels == true)
            Tally.check(
                "models of faces that others can write are read: \(name), mode \(String(mode, radix: 8))",
                succeeded: found == nil)
        }
        #expect(try failure("faces", 0o1777, back: 0o755) == nil)
        #expect(stage.failure() == nil)
    }

    @Test("a pipe is refused and not waited for; so is a folder that should be a file on the way")
    func strange() throws {
        let stage = try FaceModelStage(["faces/%u", "faces/%U/face"])
        try #require(mkfifo(stage.path + "/faces/ada", 0o600) == 0)
        #expect(stage.failure() == .strange(stage.path + "/faces/ada"))
        try stage.remove("faces/ada")
        try stage.write("faces/1000")
        #expect(stage.failure() == .strange(stage.path + "/faces/1000"))
    }

    @Test("a file whose name is no text is refused, and not left out")
    func nameIsNoText() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/1")
        #expect(stage.failure() == nil)
        let name = (stage.path + "/faces/ada/").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xff), 0]
        let file = thumb_open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        close(file)
        defer { unlink(name) }
        #expect(stage.failure() == .strange(stage.path + "/faces/ada"))
    }

    @Test("the folder that was named must be there; what comes after the user's name needn't")
    func missing() throws {
        let stage = try FaceModelStage(["none/%u.dat"])
        #expect(stage.failure() == .missing(stage.path + "/none"))
        try stage.name(stage.path + "/faces/%u/deep/down\n")
        #expect(try stage.models().enrolment == .empty)
        try stage.name(stage.path + "/faces/all.db\n")
        #expect(try stage.models().enrolment == .empty)
        try stage.name(stage.path + "/none/all.db\n")
        #expect(stage.failure() == .missing(stage.path + "/none"))
    }

    @Test("a user whose name could lead elsewhere, and one without a name, has no models under that name")
    func names() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.write("faces/ada")
        for name in [nil, "", ".", "..", "../faces/ada", "ada/1", "ada/\u{301}1", "a\0b"] {
            #expect(stage.failure(of: name) == .nameless, "\(name ?? "no name")")
        }
        try stage.name(stage.path + "/faces/%U\n")
        try stage.write("faces/1000", [1])
        guard case .known = try stage.models(of: nil).enrolment else {
            Issue.record("a user without a name has a number")
            return
        }
        #expect(stage.failure(of: String(repeating: "a", count: 300)) == nil)
        try stage.name(stage.path + "/faces/%u\n")
        #expect(
            stage.failure(of: String(repeating: "a", count: 300))?.hindrance == .modelsUnreadable, "a name as no file may have")
    }

    @Test("the administrator's file is refused as the models are, with its own words")
    func settings() throws {
        let stage = try FaceModelStage()
        func words() -> String? {
            guard case .setting(let words) = stage.failure() else { return nil }
            return words
        }
        #expect(stage.failure() == nil)
        try #require(chmod(stage.settings, 0o646) == 0)
        #expect(words()?.contains("can be written by others") == true)
        try stage.name(stage.path + "/faces/%u\nfaces/%u\n")
        #expect(words()?.hasPrefix("line 2 of /etc/thumbturn/face-models ") == true)
        try stage.name(String(repeating: "#\n", count: FaceModelSettings.fileBytes / 2))
        #expect(words() == "/etc/thumbturn/face-models names no path")
        try stage.name(String(repeating: "#\n", count: FaceModelSettings.fileBytes / 2) + "\n")
        #expect(words()?.hasSuffix("is too long") == true)
        try stage.remove("face-models")
        try FileManager.default.createSymbolicLink(atPath: stage.settings, withDestinationPath: "/etc/passwd")
        #expect(words()?.contains("is a link") == true)
        try stage.remove("face-models")
        try stage.mkdir("face-models")
        #expect(words()?.hasSuffix("isn't a file") == true)
    }

    @Test("each refusal has a hindrance about models and words of its own, which are one line")
    func told() {
        let path = "/faces/a\u{1b}[2J\n"
        let all: [FaceModelFailure] = [
            .setting("line 1"), .missing(path), .unreadable(path, .init(13)), .foreign(path, owner: 7),
            .writable(path, mode: 0o666),
            .link(path), .strange(path), .tooMany(path), .fileTooLarge(path), .tooLarge, .tooDeep(path), .changing(path),
            .nameless,
            .noDigest,
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(
            all.allSatisfy { $0.hindrance.isAboutModels && !$0.description.contains("\n") && !$0.description.contains("\u{1b}") })
        let about = Set(SensorHindrance.allCases.filter(\.isAboutModels))
        #expect(Set(all.map(\.hindrance)) == about)
        #expect(Set(about.filter(\.distrustsModels)) == [.modelsWritable, .modelsForeign, .modelsLink])
    }

    @Test("the same refusal is said once, and again after the models were read in between") @OnLoop
    func log() async throws {
        let stage = try FaceModelStage()
        let said = Reader.Log()
        let files = FaceModelFiles(
            of: 1000, name: "ada", stage.place, worker: Worker(), hash: FaceModelStage.sha256, log: { said.lines.append($0) })
        func read() async -> FaceModels {
            await withCheckedContinuation { done in files.read { done.resume(returning: $0) } }
        }
        try stage.write("faces/ada.dat")
        #expect(try await read() == stage.models())
        try stage.allow("faces/ada.dat", 0o666)
        for _ in 0..<3 { #expect(await read() == .refused(.modelsWritable)) }
        #expect(
            said.lines.count == 1 && said.lines[0].contains(stage.path + "/faces/ada.dat") && said.lines[0].contains("chmod go-w")
        )
        try stage.allow("faces/ada.dat", 0o644)
        guard case .known = await read().enrolment else {
            Issue.record("mended models aren't known")
            return
        }
        try stage.allow("faces/ada.dat", 0o666)
        _ = await read()
        #expect(said.lines.count == 2)
    }
}

@Suite("Where face models are") struct FaceModelSettingsTests {
    private func paths(_ text: String) throws(FaceModelFailure) -> [FaceModelPath] {
        try FaceModelSettings(Array(text.utf8)).paths
    }

    private func place(_ text: String, of uid: UInt32 = 1000, _ name: String? = "ada") -> FaceModelPath.Place? {
        FaceModelPath(text)?.place(of: uid, name: name)
    }

    @Test("a path on each line; empty lines and remarks say nothing, and blanks at its ends are no part of it")
    func lines() throws {
        let text = "# Howdy's\n\n  /etc/howdy/models/%u.dat \t\r\n   # and\n/var/lib/faces/%U"
        #expect(
            try paths(text).map { $0.place(of: 7, name: "ada")?.parts } == [
                ["etc", "howdy", "models", "ada.dat"], ["var", "lib", "faces", "7"],
            ])
        #expect(try paths("/a b/%u\n").map { $0.place(of: 7, name: "ada")?.parts } == [["a b", "ada"]])
    }

    @Test("%u is the name, %U the number, %% a percent sign, wherever they stand in a part")
    func placeholders() {
        #expect(place("/faces/x-%u-%U%%.dat") == FaceModelPath.Place(parts: ["faces", "x-ada-1000%.dat"], fixed: 1))
        #expect(place("/%U/%u//deep/") == FaceModelPath.Place(parts: ["1000", "ada", "deep"], fixed: 0))
        #expect(place("/var/faces.db") == FaceModelPath.Place(parts: ["var", "faces.db"], fixed: 1))
        // A mark that combines with the slash before it.
        #expect(place("/faces/\u{301}x/%u") == FaceModelPath.Place(parts: ["faces", "\u{301}x", "ada"], fixed: 2))
        #expect(place("/faces/%%u") == FaceModelPath.Place(parts: ["faces", "%u"], fixed: 1))
    }

    @Test(
        "what isn't an absolute path, or has other placeholders or controls in it, is refused with its line",
        arguments: [
            "faces/%u", "/", "//", "/faces/%h", "/faces/%", "/faces/../%u", "/faces/./%u", "/fa\u{7}ces", "/faces/\u{7f}",
            "~/faces",
        ]
    )
    func refused(_ path: String) {
        #expect(FaceModelPath(path) == nil)
        #expect(throws: FaceModelFailure.self) { try paths("/faces/%u\n\(path)\n") }
    }

    @Test("bytes that are no text, and a file that names nothing, are refused")
    func damaged() {
        #expect(throws: FaceModelFailure.setting("line 1 of /etc/thumbturn/face-models isn't UTF-8")) {
            try FaceModelSettings([0x2f, 0xff, 0x0a])
        }
        for text in ["", "\n", "# /faces/%u\n"] {
            #expect(throws: FaceModelFailure.setting("/etc/thumbturn/face-models names no path")) { try paths(text) }
        }
    }

    @Test("as many paths as the limit, and one as long as the limit, are read; one more and a longer one aren't")
    func limits() throws {
        let lines = (0..<FaceModelSettings.pathLimit).map { "/faces/\($0)/%u\n" }.joined()
        #expect(try paths(lines).count == FaceModelSettings.pathLimit)
        #expect(throws: FaceModelFailure.self) { try paths(lines + "/faces/more/%u\n") }
        let longest = "/" + String(repeating: "f", count: FaceModelPath.longest - 1)
        #expect(FaceModelPath(longest) != nil && FaceModelPath(longest + "f") == nil)
    }
}
