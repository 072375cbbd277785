import CThumbLinux
import ThumbSystem

/// Something that switching on changes in a user's folders. Making it twice is like making it once, and so is taking it back.
enum Change: Sendable, Equatable {
    /// A symbolic link to a file of Thumbturn's, or to nothing. What was there before lies beside it meanwhile.
    case link(String, to: String)
    /// KWallet's own switch, in this file.
    case kwallet(String)

    private static let aside = ".before-thumbturn"

    /// In words, for the one whose files these are.
    var words: String {
        switch self {
        case .link(let path, to: Keyring.nothing): "make a link to \(Keyring.nothing) at \(path)"
        case .link(let path, to: let target): "make a link to \(target) at \(path)"
        case .kwallet(let path): "switch off KWallet's Secret Service in \(path)"
        }
    }

    func isLink(at place: String) -> Bool {
        switch self {
        case .link(let path, to: _): path == place
        case .kwallet: false
        }
    }

    /// Whether it needn't be made.
    var isMade: Bool {
        switch self {
        case .link(let path, let target): Self.target(of: path) == target
        case .kwallet(let path): KWalletSetting(path)?.value == KWalletSetting.off
        }
    }

    /// - Parameter isOurs: whether what is there may be replaced, because it is an older link of ours.
    func make(replacing isOurs: Bool) throws(SecretsServiceFailure) {
        switch self {
        case .link(let path, let target):
            if isMade { return }
            PrivateFolder.makeWithParents(FilePlace.folder(of: path))
            if FilePlace.isThere(path) {
                if isOurs && Self.target(of: path) != nil {
                    guard unsafe unlink(path) == 0 else { throw .notChanged(path) }
                } else {
                    guard !FilePlace.isThere(path + Self.aside), unsafe rename(path, path + Self.aside) == 0 else {
                        throw .notChanged(path)
                    }
                }
            }
            guard unsafe symlink(target, path) == 0 else { throw .notChanged(path) }
        case .kwallet(let path):
            guard var setting = KWalletSetting(path) else { throw .notChanged(path) }
            setting.value = KWalletSetting.off
            guard setting.write() else { throw .notChanged(path) }
        }
    }

    /// - Parameter before: the setting that was there, if it is one.
    func undo(before: String?) throws(SecretsServiceFailure) {
        switch self {
        case .link(let path, let target):
            if Self.target(of: path) == target {
                guard unsafe unlink(path) == 0 else { throw .notChanged(path) }
            }
            // Somebody may have put something of their own there since. Then both stay.
            if !FilePlace.isThere(path), FilePlace.isThere(path + Self.aside) {
                guard unsafe rename(path + Self.aside, path) == 0 else { throw .notChanged(path) }
            }
        case .kwallet(let path):
            guard var setting = KWalletSetting(path) else { throw .notChanged(path) }
            // Whoever has switched it on again meanwhile has had their reason.
            guard setting.value == KWalletSetting.off else { return }
            setting.value = before
            guard setting.write() else { throw .notChanged(path) }
        }
    }

    /// Where a symbolic link leads; nil if there is none.
    static func target(of path: String) -> String? {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &room, room.count)
        return count > 0 ? String(decoding: room.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
