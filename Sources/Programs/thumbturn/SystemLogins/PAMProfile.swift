/// A profile of ours for PAM: the services in which a finger counts beside the password.
///
/// pam-auth-update takes two lines for one if what comes before the words is the same. So the two profiles' lines don't begin alike.
enum PAMProfile: String, CaseIterable {
    case sudo = "thumbturn-sudo"
    case login = "thumbturn-login"

    /// Profiles without a question that are used together with it: what a login does with a password.
    var companions: [String] {
        switch self {
        case .sudo: []
        case .login: ["thumbturn-password"]
        }
    }

    /// The services of Debian's that it is for, each with a file of its own in /etc/pam.d.
    var services: [String] {
        switch self {
        case .sudo: ["sudo", "su"]
        case .login: ["login"]
        }
    }

    /// The services whose own files somebody may have written a line into.
    var files: [String] {
        switch self {
        case .sudo: ["sudo", "sudo-i", "su", "su-l"]
        case .login: ["login"]
        }
    }

    /// The word behind our module's name in a line that is for it; nil: none.
    var word: String? {
        switch self {
        case .sudo: nil
        case .login: "login"
        }
    }

    /// The other one.
    var other: PAMProfile { self == .sudo ? .login : .sudo }
}
