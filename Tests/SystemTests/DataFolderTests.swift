import CThumbLinux
import Foundation
import Testing

@testable import ThumbSystem

/// Homes and data folders of a test's own.
private struct Homes {
    let scratch: Scratch
    let account: String
    let other: String

    init() throws {
        scratch = try Scratch()
        (account, other) = (scratch.path + "/account", scratch.path + "/other")
        for home in [account, other] { try PrivateFolder.make(home) }
    }

    func find(home: String? = nil, dataHome: String? = nil, hasAccount: Bool = true) throws(DataFolder.Problem) -> String {
        try DataFolder(
            "thumbturn", sign: "keybag", of: getuid(), environment: .init(home: home, dataHome: dataHome),
            accountHome: hasAccount ? account : "no whole path"
        ).find()
    }

    func problem(home: String? = nil, dataHome: String? = nil, hasAccount: Bool = true) -> DataFolder.Problem? {
        do throws(DataFolder.Problem) { _ = try find(home: home, dataHome: dataHome, hasAccount: hasAccount) } catch {
            return error
        }
        return nil
    }

    /// Keeps something in a folder.
    func use(_ folder: String) throws {
        PrivateFolder.makeWithParents(folder)
        try Data().write(to: URL(filePath: folder + "/keybag"))
    }
}

@Suite("Where a user's data is") struct DataFolderTests {
    private let homes: Homes
    private var usual: String { homes.account + "/.local/share/thumbturn" }

    init() throws { homes = try Homes() }

    @Test("Without a variable it is in the account's home")
    func account() throws { #expect(try homes.find() == usual) }

    @Test("$XDG_DATA_HOME comes before $HOME, and $HOME before the account's home")
    func variables() throws {
        #expect(try homes.find(home: homes.other) == homes.other + "/.local/share/thumbturn")
        #expect(try homes.find(home: homes.other, dataHome: homes.account + "/data") == homes.account + "/data/thumbturn")
        #expect(try homes.find(home: homes.account) == usual)
    }

    @Test("A variable that is empty or no whole path counts as not set", arguments: ["", "data", "~/data", "./data"])
    func relative(path: String) throws {
        #expect(try homes.find(home: path, dataHome: path) == usual)
    }

    @Test("A folder that $XDG_DATA_HOME names and that isn't there is made for this user alone")
    func made() throws {
        let folder = homes.scratch.path + "/a/b"
        _ = try homes.find(dataHome: folder)
        #expect(PrivateFolder.isPrivate(folder, of: getuid(), .fromReaders))
    }

    @Test(
        "A folder that others can write is refused, with the variable, the folder and its mode",
        arguments: [0o770, 0o777, 0o1777, 0o702])
    func writable(mode: mode_t) throws {
        chmod(homes.other, mode)
        #expect(
            homes.problem(dataHome: homes.other)
                == .unfit(variable: "XDG_DATA_HOME", folder: homes.other, .open(mode: UInt32(mode))))
        let problem = try #require(homes.problem(home: homes.other))
        #expect(problem == .unfit(variable: "HOME", folder: homes.other, .open(mode: UInt32(mode))))
        #expect(
            "\(problem)" == "$HOME leads to \(homes.other), which others can write (mode \(String(mode, radix: 8))); "
                + "name a folder that you alone can write, or unset it")
        chmod(homes.other, 0o755)
        #expect(try homes.find(home: homes.other) == homes.other + "/.local/share/thumbturn")
    }

    @Test("So is one below a home that others can write", arguments: [".local", ".local/share"])
    func writableBelow(name: String) throws {
        PrivateFolder.makeWithParents(homes.other + "/" + name)
        chmod(homes.other + "/" + name, 0o775)
        #expect(
            homes.problem(home: homes.other) == .unfit(variable: "HOME", folder: homes.other + "/" + name, .open(mode: 0o775)))
    }

    @Test("A folder of another user's is refused, and nothing is made in it", arguments: ["/proc", "/sys"])
    func anothers(folder: String) throws {
        // Root owns these, and root is who may run this test: then the user is another one.
        let user: UInt32 = getuid() == 0 ? 65534 : getuid()
        let find = { (environment: DataFolder.Environment) -> DataFolder.Problem? in
            do throws(DataFolder.Problem) {
                _ = try DataFolder("thumbturn", sign: "keybag", of: user, environment: environment, accountHome: homes.account)
                    .find()
            } catch { return error }
            return nil
        }
        #expect(find(.init(home: nil, dataHome: folder)) == .unfit(variable: "XDG_DATA_HOME", folder: folder, .anothers))
        #expect(find(.init(home: folder, dataHome: nil)) == .unfit(variable: "HOME", folder: folder, .anothers))
    }

    @Test("A file in a folder's place and a home that isn't there are refused")
    func noFolder() throws {
        let file = homes.scratch.path + "/file"
        try Data().write(to: URL(filePath: file))
        #expect(homes.problem(dataHome: file) == .unfit(variable: "XDG_DATA_HOME", folder: file, .noFolder))
        let none = homes.scratch.path + "/none"
        #expect(homes.problem(home: none).map { "\($0)" }?.contains("which isn't there") == true)
    }

    @Test("A link counts for where it leads: the owner's own folder is taken, one that others write isn't")
    func link() throws {
        let link = homes.scratch.path + "/link"
        symlink(homes.other, link)
        #expect(try homes.find(dataHome: link) == link + "/thumbturn")
        chmod(homes.other, 0o777)
        #expect(homes.problem(dataHome: link) == .unfit(variable: "XDG_DATA_HOME", folder: link, .open(mode: 0o777)))
    }

    @Test("What is kept in the account's home stays in use, whatever a variable says")
    func kept() throws {
        try homes.use(usual)
        #expect(try homes.find(dataHome: homes.other) == usual)
        #expect(try homes.find(home: homes.other) == usual)
    }

    @Test("Where both places are in use nothing is chosen, and both are named")
    func two() throws {
        try homes.use(usual)
        try homes.use(homes.other + "/thumbturn")
        let problem = try #require(homes.problem(dataHome: homes.other))
        #expect(problem == .two(old: usual, new: homes.other + "/thumbturn", variable: "XDG_DATA_HOME"))
        #expect("\(problem)".contains("move away the one that you don't use"))
        // One place under two names is one place.
        let link = homes.scratch.path + "/link"
        symlink(homes.account + "/.local/share", link)
        #expect(try homes.find(dataHome: link) == usual)
    }

    @Test("A user without an account has what a variable names, and without one is told what to set")
    func withoutAccount() throws {
        #expect(try homes.find(home: homes.other, hasAccount: false) == homes.other + "/.local/share/thumbturn")
        let problem = try #require(homes.problem(hasAccount: false))
        #expect(problem == .noHome(user: getuid()))
        #expect("\(problem)".contains("set HOME or XDG_DATA_HOME"))
        // The system knows none for this uid either.
        let stranger = DataFolder("thumbturn", sign: "keybag", of: 4_100_000_000, environment: .init(home: nil, dataHome: nil))
        #expect(stranger.ofAccount == nil)
    }
}
