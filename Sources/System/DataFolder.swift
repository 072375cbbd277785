public import CThumbLinux

/// Where a program keeps a user's own data: where `$XDG_DATA_HOME` or `$HOME` say, or else in the home of the account.
///
/// A variable counts if its folder belongs to the user and nobody else can write there. Any other folder is refused, not skipped. Data that
/// is already in the account's home stays in use, so that a variable that is set later hides nothing.
public struct DataFolder: Sendable {
    /// The variables that a person set for the program.
    public struct Environment: Sendable {
        let home: String?
        let dataHome: String?

        /// Only absolute paths count, as the specification of these variables says.
        public init(home: String?, dataHome: String?) {
            self.home = home.flatMap { $0.hasPrefix("/") ? $0 : nil }
            self.dataHome = dataHome.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }

        /// This process's own. Empty in a program that runs with more rights than its caller.
        public static var own: Environment { Environment(home: variable("HOME"), dataHome: variable("XDG_DATA_HOME")) }

        private static func variable(_ name: String) -> String? {
            unsafe thumb_secure_getenv(name).map { unsafe String(cString: $0) }
        }
    }

    /// Why there is no folder.
    public enum Problem: Error, Hashable, Sendable {
        /// Neither a variable nor the account names a home.
        case noHome(user: UInt32)
        /// A variable leads to a folder that others can write, or that isn't this user's.
        case unfit(variable: String, folder: String, PrivateFolder.Problem)
        /// There is data in both places. This program can't tell which is right; only the owner can.
        case two(old: String, new: String, variable: String)
    }

    /// The folder's name, and a file in it that shows that the folder is in use.
    private let name: String
    private let sign: String
    private let user: UInt32
    private let environment: Environment
    private let accountHome: String?

    /// - Parameters:
    ///   - name: The folder's name.
    ///   - sign: A file that is in every folder in use.
    ///   - accountHome: Used instead of what the system knows about the user.
    public init(
        _ name: String, sign: String, of user: UInt32 = getuid(), environment: Environment = .own, accountHome: String? = nil
    ) {
        (self.name, self.sign, self.user, self.environment) = (name, sign, user, environment)
        self.accountHome = accountHome
    }

    /// The folder that follows from the account alone; nil for a user without an account, as in a container.
    ///
    /// It is determined only when needed, because this asks the system's name service, which may load modules.
    public var ofAccount: String? {
        (accountHome ?? Self.accountHome(of: user)).flatMap { $0.hasPrefix("/") ? "\($0)/.local/share/\(name)" : nil }
    }

    /// The folder that a variable names; nil if none is set.
    public var named: String? { wanted?.path }

    /// The folder's path. The folder isn't made, except for the one that `$XDG_DATA_HOME` names.
    public func find() throws(Problem) -> String {
        let account = ofAccount
        guard let wanted else {
            guard let account else { throw .noHome(user: user) }
            return account
        }
        if let account {
            // The account's home is used as it is, as other programs do.
            if Self.isOne(wanted.path, account) { return account }
            if isInUse(account) {
                guard !isInUse(wanted.path) else { throw .two(old: account, new: wanted.path, variable: wanted.variable) }
                return account
            }
        }
        try check(wanted)
        return wanted.path
    }

    private typealias Wanted = (variable: String, folders: [String], path: String)

    private var wanted: Wanted? {
        if let folder = environment.dataHome { return ("XDG_DATA_HOME", [folder], "\(folder)/\(name)") }
        guard let home = environment.home else { return nil }
        return ("HOME", [home, home + "/.local", home + "/.local/share"], "\(home)/.local/share/\(name)")
    }

    private func check(_ wanted: Wanted) throws(Problem) {
        if wanted.variable == "XDG_DATA_HOME" { PrivateFolder.makeWithParents(wanted.folders[0]) }
        for (index, folder) in wanted.folders.enumerated() {
            do throws(PrivateFolder.Problem) {
                // A link is allowed, because that is the owner's decision. What counts is where it leads.
                try PrivateFolder.check(folder, of: user, .fromWriters, follows: true)
            } catch {
                // Folders below a home that don't exist are made later, for this user alone.
                if index > 0, case .unreachable(let reason) = error, reason.number == ENOENT { return }
                throw .unfit(variable: wanted.variable, folder: folder, error)
            }
        }
    }

    /// Whether something is kept there. If the folder can't be looked at, it couldn't be used either.
    private func isInUse(_ folder: String) -> Bool { unsafe access("\(folder)/\(sign)", F_OK) == 0 }

    /// Whether two paths lead to the same place, written differently or through a link.
    private static func isOne(_ one: String, _ other: String) -> Bool {
        if one.split(separator: "/") == other.split(separator: "/") { return true }
        var (first, second) = (stat(), stat())
        guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func accountHome(of user: UInt32) -> String? {
        guard let entry = unsafe getpwuid(user), let home = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: home)
    }
}

extension DataFolder.Problem: CustomStringConvertible {
    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .noHome(let user):
            "user \(user) has no account and no home; set HOME or XDG_DATA_HOME to a folder of your own"
        case .unfit(let variable, let folder, let problem):
            "$\(variable) leads to \(folder), which \(Self.why(problem)); name a folder that you alone can write, or unset it"
        case .two(let old, let new, let variable):
            "there is one in \(old) and one in \(new), where $\(variable) leads; move away the one that you don't use"
        }
    }

    private static func why(_ problem: PrivateFolder.Problem) -> String {
        switch problem {
        case .unreachable(let error) where error.number == ENOENT: "isn't there"
        case .open(let mode): "others can write (mode \(String(mode, radix: 8)))"
        case .unreachable, .noFolder, .anothers: problem.description
        }
    }
}
