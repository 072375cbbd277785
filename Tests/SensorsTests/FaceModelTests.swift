import CThumbLinux
import Foundation
import Testing
import ThumbAuthentication

@testable import ThumbSensors

@Suite("Face models") struct FaceModelTests {
    @Test("without the administrator's file nobody named them, and nothing is known")
    func unnamed() throws {
        let stage = try FaceModelStage()
        try stage.write("faces/ada.dat")
        try FileManager.default.removeItem(atPath: stage.settings)
        #expect(try stage.models() == .unnamed)
    }

    @Test("a user's file is the enrolment: it changes with what is in it, and with nothing else")
    func file() throws {
        let stage = try FaceModelStage()
        #expect(try stage.models().enrolment == .empty)
        try stage.write("faces/ada.dat", [])
        #expect(try stage.models().enrolment == .empty)
        try stage.write("faces/ada.dat", [1])
        let one = try stage.models()
        guard case .known(let digest) = one.enrolment else {
            Issue.record("the enrolment isn't known")
            return
        }
        #expect(digest.count == 32 && one.problem == nil && one.areTrusted)
        // Another user's face, and the same face of a user who was renamed.
        try stage.write("faces/bob.dat", [2])
        #expect(try stage.models() == one)
        try stage.write("faces/eve.dat", [1])
        #expect(try stage.models(of: "eve").enrolment == one.enrolment)
        try stage.write("faces/ada.dat", [2])
        #expect(try stage.models().enrolment != one.enrolment)
        try stage.remove("faces/ada.dat")
        #expect(try stage.models().enrolment == .empty)
        try stage.write("faces/ada.dat", [1])
        #expect(try stage.models().enrolment == one.enrolment)
    }

    @Test("a folder is the enrolment with every file and name in it")
    func folder() throws {
        let stage = try FaceModelStage(["faces/%u"])
        #expect(try stage.models().enrolment == .empty)
        try stage.mkdir("faces/ada")
        #expect(try stage.models().enrolment == .empty)
        try stage.write("faces/ada/front.dat", [1])
        let one = try stage.models().enrolment
        try stage.mkdir("faces/ada/glasses")
        #expect(try stage.models().enrolment == one)
        try stage.write("faces/ada/glasses/front.dat", [1])
        let two = try stage.models().enrolment
        #expect(two != one && two != .empty)
        try stage.remove("faces/ada/front.dat")
        try stage.write("faces/ada/side.dat", [1])
        #expect(try ![one, two].contains(stage.models().enrolment))
        try stage.remove("faces/ada/side.dat")
        try stage.write("faces/ada/front.dat", [1])
        #expect(try stage.models().enrolment == two)
        try stage.remove("faces/ada/glasses")
        #expect(try stage.models().enrolment == one)
    }

    @Test("several places count together, and which of them a file is in tells")
    func places() throws {
        let stage = try FaceModelStage(["faces/%u.dat", "more/%U"])
        try stage.mkdir("more")
        try stage.write("faces/ada.dat", [1])
        let one = try stage.models().enrolment
        try stage.write("more/1000", [2])
        let both = try stage.models().enrolment
        #expect(both != one)
        try stage.write("faces/ada.dat", [2])
        try stage.write("more/1000", [1])
        #expect(try ![one, both].contains(stage.models().enrolment))
        try stage.remove("faces/ada.dat")
        try stage.write("more/1000", [1])
        let moved = try stage.models().enrolment
        #expect(moved != one && moved != .empty)
    }

    @Test("a file that was written and has the same contents again is the same enrolment, and tells that it was written")
    func stamps() throws {
        let stage = try FaceModelStage()
        try stage.write("faces/ada.dat", [1])
        try stage.age("faces/ada.dat")
        let before = try stage.models()
        #expect(try stage.models() == before)
        try stage.write("faces/ada.dat", [2])
        try stage.write("faces/ada.dat", [1])
        let after = try stage.models()
        #expect(after.enrolment == before.enrolment && after.stamp != before.stamp)
    }

    @Test("a file that was written and has its contents and its time again tells that it was written")
    func restored() throws {
        let stage = try FaceModelStage()
        let path = stage.path + "/faces/ada.dat"
        /// The kernel's own note of the latest change, which nobody can set.
        func changed() throws -> [Int] {
            var status = stat()
            try #require(lstat(path, &status) == 0)
            return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }
        try stage.write("faces/ada.dat", [1])
        try stage.age("faces/ada.dat")
        let (before, first) = (try stage.models(), try changed())
        // The kernel's clock may stand still for a few milliseconds.
        repeat {
            try stage.write("faces/ada.dat", [2])
            try stage.write("faces/ada.dat", [1])
            try stage.age("faces/ada.dat")
        } while try changed() == first
        let after = try stage.models()
        #expect(after.enrolment == before.enrolment && after.stamp != before.stamp)
    }

    @Test("a file that came into a folder and went tells that it was there")
    func visitors() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/1", [1])
        try stage.age("faces/ada")
        let before = try stage.models()
        try stage.write("faces/ada/2", [2])
        try stage.remove("faces/ada/2")
        let after = try stage.models()
        #expect(after.enrolment == before.enrolment && after.stamp != before.stamp)
    }

    @Test("without a digest nothing is known")
    func noDigest() throws {
        let stage = try FaceModelStage()
        try stage.write("faces/ada.dat")
        #expect(throws: FaceModelFailure.noDigest) { try stage.models { _ in nil } }
    }

    // MARK: Limits

    @Test("as many files and folders as the limit are read, one more isn't")
    func entries() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        for number in 1..<FaceModelReading.entryLimit { try stage.write("faces/ada/\(number)") }
        #expect(stage.failure() == nil)
        try stage.write("faces/ada/more")
        guard case .tooMany = stage.failure() else {
            Issue.record("one file too many was read")
            return
        }
        // Folders count too, or a reading could go on for ever.
        try stage.mkdir("faces/bob")
        for number in 1..<FaceModelReading.entryLimit { try stage.mkdir("faces/bob/\(number)") }
        #expect(stage.failure(of: "bob") == nil)
        try stage.mkdir("faces/bob/1/more")
        guard case .tooMany = stage.failure(of: "bob") else {
            Issue.record("one folder too many was read")
            return
        }
    }

    @Test("a file as large as the limit is read, one byte more isn't; nor are files that are too large together")
    func sizes() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/0", count: FaceModelReading.fileBytes + 1)
        #expect(stage.failure() == .fileTooLarge(stage.path + "/faces/ada/0"))
        for number in 0..<FaceModelReading.allBytes / FaceModelReading.fileBytes {
            try stage.write("faces/ada/\(number)", count: FaceModelReading.fileBytes)
        }
        #expect(stage.failure() == nil)
        try stage.write("faces/ada/more", [1])
        #expect(stage.failure() == .tooLarge)
    }

    @Test("a file in as many folders as the limit is read, and a folder deeper down isn't")
    func depth() throws {
        let stage = try FaceModelStage(["faces/%u"])
        let folders = ["faces/ada"] + (1..<FaceModelReading.depth).map(String.init)
        try stage.mkdir(folders.joined(separator: "/"))
        try stage.write((folders + ["face"]).joined(separator: "/"))
        #expect(stage.failure() == nil)
        let deeper = (folders + ["deeper"]).joined(separator: "/")
        try stage.mkdir(deeper)
        #expect(stage.failure() == .tooDeep(stage.path + "/" + deeper))
    }

    // MARK: Changes while they are read

    @Test("a file that isn't any more what was looked at is refused")
    func changedFile() throws {
        let stage = try FaceModelStage()
        try stage.write("faces/ada.dat", [1])
        try stage.age("faces/ada.dat")
        let path = stage.path + "/faces/ada.dat"
        let folder = thumb_open(stage.path + "/faces", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        try #require(folder >= 0)
        defer { close(folder) }
        func content(_ status: stat) throws(FaceModelFailure) -> [UInt8] {
            try FaceModelReading.content(of: "ada.dat", in: folder, status, path)
        }
        var looked = stat()
        try #require(lstat(path, &looked) == 0)
        let status = looked
        #expect(try content(status) == [1])
        for change in [[2], [1, 2], []] as [[UInt8]] {
            try stage.write("faces/ada.dat", change)
            #expect(throws: FaceModelFailure.changing(path)) { try content(status) }
        }
        try stage.remove("faces/ada.dat")
        #expect(throws: FaceModelFailure.changing(path)) { try content(status) }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        #expect(throws: FaceModelFailure.changing(path)) { try content(status) }
    }

    @Test("a folder in which something is made or removed meanwhile is refused")
    func changedFolder() throws {
        let stage = try FaceModelStage(["faces/%u"])
        try stage.mkdir("faces/ada")
        try stage.write("faces/ada/1")
        try stage.age("faces/ada")
        // A digest is made of each file once it is read.
        #expect(throws: FaceModelFailure.changing(stage.path + "/faces/ada")) {
            try stage.models { bytes in
                try? stage.write("faces/ada/2")
                return FaceModelStage.sha256(bytes)
            }
        }
        #expect(stage.failure() == nil)
    }
}
