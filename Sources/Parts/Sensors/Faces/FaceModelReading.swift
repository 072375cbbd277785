import CThumbLinux
import ThumbAccess
import ThumbAuthentication
import ThumbSystem

/// One reading of a user's models: every file of every place that was named, each read whole.
struct FaceModelReading {
    /// Most files and folders of a user. A module keeps a file for each face, or one for all.
    static let entryLimit = 128
    /// Most bytes of one file. A face takes some kilobytes; a module that keeps pictures takes more.
    static let fileBytes = 8 << 20
    /// Most bytes of all files, so that an answer takes a moment only.
    static let allBytes = 32 << 20
    /// How many folders deep a file may lie below the place that was named.
    static let depth = 3

    private let owners: TrustedOwners
    private let hash: @Sendable ([UInt8]) -> [UInt8]?
    private var entries = 0
    private var bytes = 0
    private var digests: [UInt8] = Array("thumbturn enrolment, face models\0".utf8)
    private var stamps: [UInt8] = Array("thumbturn face models, written\0".utf8)

    private init(_ owners: TrustedOwners, _ hash: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        (self.owners, self.hash) = (owners, hash)
    }

    /// What the models are now. Without the administrator's file, nobody named them.
    static func models(
        of uid: UInt32, name: String?, settings: String, owners: TrustedOwners,
        hash: @escaping @Sendable ([UInt8]) -> [UInt8]?
    ) throws(FaceModelFailure) -> FaceModels {
        guard let paths = try Self.paths(settings, owners) else { return .unnamed }
        var reading = FaceModelReading(owners, hash)
        for (index, path) in paths.enumerated() {
            guard let place = path.place(of: uid, name: name) else { throw .nameless }
            try reading.read(place, number: UInt8(index))
        }
        return try reading.models()
    }

    private static func paths(_ file: String, _ owners: TrustedOwners) throws(FaceModelFailure) -> [FaceModelPath]? {
        do throws(FaceModelFailure) {
            let place = FaceModelPath.Place(parts: file.split(separator: "/").map(String.init), fixed: 0)
            guard let folder = try owners.parent(of: place), let name = place.parts.last else { return nil }
            guard let found = try owners.open(name, in: folder.number, file) else { return nil }
            let status = try TrustedOwners.status(found, file)
            try owners.check(status, file)
            guard thumb_is_regular(status.st_mode) != 0 else { throw .setting("\(file) isn't a file") }
            guard status.st_size <= FaceModelSettings.fileBytes else { throw .setting("\(file) is too long") }
            return try FaceModelSettings(content(of: name, in: folder.number, status, file)).paths
        } catch {
            // Somebody who could change this file could make the daemon look elsewhere, but can teach the camera no face.
            throw error.hindrance == .modelsChanging ? error : .setting(error.description)
        }
    }

    /// The digest over all of it. Nobody is enrolled if there is no file that has anything in it.
    private func models() throws(FaceModelFailure) -> FaceModels {
        guard let stamp = hash(stamps) else { throw .noDigest }
        guard bytes > 0 else { return FaceModels(enrolment: .empty, stamp: stamp) }
        guard let digest = hash(digests) else { throw .noDigest }
        return FaceModels(enrolment: .known(digest), stamp: stamp)
    }

    private mutating func read(_ place: FaceModelPath.Place, number: UInt8) throws(FaceModelFailure) {
        guard let folder = try owners.parent(of: place), let name = place.parts.last else { return }
        let path = "/" + place.parts.joined(separator: "/")
        // The place's own name isn't part of the enrolment: a user who is renamed keeps the faces.
        try read(name, in: folder.number, [number], path, Self.depth, isPlace: true)
    }

    private mutating func read(
        _ name: String, in folder: Int32, _ key: [UInt8], _ path: String, _ depth: Int, isPlace: Bool = false
    ) throws(FaceModelFailure) {
        guard let place = try owners.open(name, in: folder, path) else {
            if isPlace { return }
            throw .changing(path)
        }
        let status = try TrustedOwners.status(place, path)
        try owners.check(status, path)
        entries += 1
        guard entries <= Self.entryLimit else { throw .tooMany(path) }
        stamps += key + [0] + FileStamp(status).bytes
        if thumb_is_regular(status.st_mode) != 0 {
            try readFile(name, in: folder, key, status, path)
        } else {
            guard depth > 0 else { throw .tooDeep(path) }
            try readFolder(name, in: folder, key, status, path, depth)
        }
    }

    private mutating func readFile(
        _ name: String, in folder: Int32, _ key: [UInt8], _ status: stat, _ path: String
    ) throws(FaceModelFailure) {
        guard status.st_size <= Self.fileBytes else { throw .fileTooLarge(path) }
        bytes += Int(status.st_size)
        guard bytes <= Self.allBytes else { throw .tooLarge }
        let content = try Self.content(of: name, in: folder, status, path)
        guard let named = hash(key), let digest = hash(content) else { throw .noDigest }
        digests += named + digest
    }

    /// Everything in a file. Fails if it isn't the one that was looked at, or is written meanwhile.
    static func content(
        of name: String, in folder: Int32, _ status: stat, _ path: String
    ) throws(FaceModelFailure) -> [UInt8] {
        let content: [UInt8]?
        let after: stat
        do throws(SystemError) {
            let file = try Descriptor(opening: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            content = try Transfer.all(from: file.number, atMost: Int(status.st_size))
            after = try file.status()
        } catch {
            throw error.number == ENOENT || error.number == ELOOP ? .changing(path) : .unreadable(path, error)
        }
        guard let content, content.count == Int(status.st_size), FileStamp(after) == FileStamp(status) else {
            throw .changing(path)
        }
        return content
    }

    private mutating func readFolder(
        _ name: String, in folder: Int32, _ key: [UInt8], _ status: stat, _ path: String, _ depth: Int
    ) throws(FaceModelFailure) {
        let opened: Descriptor
        do throws(SystemError) {
            opened = try Descriptor(opening: name, in: folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw error.number == ENOENT || error.number == ELOOP ? .changing(path) : .unreadable(path, error)
        }
        let number = opened.number
        for inner in try names(in: number, path) {
            try read(inner, in: number, key + [UInt8(ascii: "/")] + Array(inner.utf8), path + "/" + inner, depth - 1)
        }
        guard FileStamp(try TrustedOwners.status(opened, path)) == FileStamp(status) else { throw .changing(path) }
    }

    /// The names in a folder, in order. A name that isn't UTF-8 can't be told apart from others, so it is refused.
    private func names(in folder: Int32, _ path: String) throws(FaceModelFailure) -> [String] {
        // The stream owns its descriptor.
        let copy = unsafe thumb_openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard copy >= 0 else { throw .unreadable(path, .last) }
        guard let stream = unsafe fdopendir(copy) else {
            let error = SystemError.last
            close(copy)
            throw .unreadable(path, error)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            thumb_set_errno(0)
            guard let entry = unsafe readdir(stream) else { break }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else { throw .strange(path) }
            if name == "." || name == ".." { continue }
            names.append(name)
            guard names.count <= Self.entryLimit else { throw .tooMany(path) }
        }
        guard thumb_errno() == 0 else { throw .unreadable(path, .last) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
