import ThumbAccess
import ThumbSystem

/// Why the files were refused in which a camera's module keeps its faces. The words are for the log, and say which file it was.
enum FaceModelFailure: Error, Hashable, Sendable {
    /// The administrator's file that names them is refused, in these words.
    case setting(String)
    /// A folder that was named doesn't exist.
    case missing(String)
    case unreadable(String, SystemError)
    /// Neither root nor this process's user owns it.
    case foreign(String, owner: UInt32)
    case writable(String, mode: UInt32)
    case link(String)
    /// Neither a file nor a folder.
    case strange(String)
    case tooMany(String)
    case fileTooLarge(String)
    case tooLarge
    case tooDeep(String)
    /// It changed, or went away, while it was read.
    case changing(String)
    /// The path has the user's name in it, and the user has none that could be in a path.
    case nameless
    /// There is no memory for a digest.
    case noDigest

    /// What the owner is told.
    var hindrance: SensorHindrance {
        switch self {
        case .setting: .modelsSetting
        case .missing: .modelsMissing
        case .unreadable, .nameless, .noDigest: .modelsUnreadable
        case .foreign: .modelsForeign
        case .writable: .modelsWritable
        case .link: .modelsLink
        case .strange: .modelsStrange
        case .tooMany: .modelsTooMany
        case .fileTooLarge, .tooLarge: .modelsTooLarge
        case .tooDeep: .modelsTooDeep
        case .changing: .modelsChanging
        }
    }
}

extension FaceModelFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .setting(let words): words
        case .missing(let path): "\(Self.shown(path)) isn't there"
        case .unreadable(let path, let error): "\(Self.shown(path)) can't be read (error \(error.number))"
        case .foreign(let path, let owner): "\(Self.shown(path)) belongs to user \(owner); it must be root's"
        case .writable(let path, let mode):
            "\(Self.shown(path)) can be written by others (mode \(String(mode, radix: 8))); take that away with chmod go-w"
        case .link(let path): "\(Self.shown(path)) is a link; name the place that it leads to"
        case .strange(let path): "\(Self.shown(path)) is neither a file nor a folder"
        case .tooMany(let path):
            "\(Self.shown(path)) is beyond the \(FaceModelReading.entryLimit) files and folders that are read for a user"
        case .fileTooLarge(let path): "\(Self.shown(path)) is larger than \(FaceModelReading.fileBytes >> 20) MiB"
        case .tooLarge: "a user's files are together larger than \(FaceModelReading.allBytes >> 20) MiB"
        case .tooDeep(let path):
            "\(Self.shown(path)) lies more than \(FaceModelReading.depth) folders deep in the place that was named"
        case .changing(let path): "\(Self.shown(path)) changed while it was read"
        case .nameless: "the user has no name that could be in a path"
        case .noDigest: "no digest can be made"
        }
    }

    /// A module chose the files' names.
    private static func shown(_ path: String) -> String { SafeText(path).description }
}
