import CThumbLinux
import ThumbSystem

/// KWallet's switch for the Secret Service in its own file of settings, which keeps everything else that is in there.
struct KWalletSetting {
    static let off = "false"
    private static let group = "[org.freedesktop.secrets]"
    private static let key = "apiEnabled"
    /// Largest file that is read, in bytes. KWallet's own has some hundred.
    private static let limit = 1 << 20

    private let path: String
    private var lines: [String]

    /// nil if there is a file that can't be read. Without a file there are no settings.
    init?(_ path: String) {
        self.path = path
        guard FilePlace.isThere(path) else {
            lines = []
            return
        }
        guard let bytes = Transfer.file(path, atMost: Self.limit), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    /// What stands there; nil for nothing.
    var value: String? {
        get { place.map { String(lines[$0].drop { $0 != "=" }.dropFirst()) } }
        set {
            let line = newValue.map { "\(Self.key)=\($0)" }
            if let place {
                if let line { lines[place] = line } else { remove(place) }
            } else if let line {
                if let head = lines.firstIndex(of: Self.group) {
                    lines.insert(line, at: head + 1)
                } else {
                    lines += (lines.isEmpty ? [] : [""]) + [Self.group, line]
                }
            }
        }
    }

    /// The line that has it.
    private var place: Int? {
        guard let head = lines.firstIndex(of: Self.group) else { return nil }
        return lines[(head + 1)...].prefix { !$0.hasPrefix("[") }.firstIndex { $0.hasPrefix(Self.key + "=") }
    }

    /// A group without settings goes with its last one, and the blank line before it.
    private mutating func remove(_ place: Int) {
        lines.remove(at: place)
        guard let head = lines.firstIndex(of: Self.group) else { return }
        let end = lines[(head + 1)...].firstIndex { $0.hasPrefix("[") } ?? lines.endIndex
        guard lines[(head + 1)..<end].allSatisfy(\.isEmpty) else { return }
        let start = head > 0 && lines[head - 1].isEmpty ? head - 1 : head
        lines.removeSubrange(start..<end)
    }

    /// Writes the file. One without a line goes.
    func write() -> Bool {
        if lines.isEmpty { return unsafe unlink(path) == 0 || thumb_errno() == ENOENT }
        PrivateFolder.makeWithParents(FilePlace.folder(of: path))
        do throws(ReplacedFile.Setback) {
            let file = try ReplacedFile(draft: path + ".thumbturn-new")
            try file.write(Array(lines.map { $0 + "\n" }.joined().utf8))
            try file.take(placeOf: path)
            return true
        } catch {
            return false
        }
    }
}
