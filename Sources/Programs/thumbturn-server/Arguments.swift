import ThumbSignIn
import ThumbSignInServer

/// What the server was told to do.
struct Arguments {
    enum Action { case serve, keep(Errand), help, version }

    struct Problem: Error { let message: String }

    var action = Action.serve
    var listen = "127.0.0.1:8470"
    var origin: String?
    var database: String?
    var isSignUpOpen = false
    var clientRate = 100
    var isBehindProxy = false
    var certificate: String?
    var key: String?
    var isQuiet = false

    static let help = """
        thumbturn-server: signs people in who prove with a finger that a device is theirs.

        usage: thumbturn-server [--listen ADDRESS:PORT] [--origin ORIGIN] [--database WHERE] [--sign-up]
                                [--client-rate NUMBER] [--tls-certificate FILE --tls-key FILE] [--behind-proxy] [--quiet]
               thumbturn-server [--database WHERE] account|session|device WHAT …

          account add NAME        make an account; its password is typed unseen, or a line on standard input
          account passwd NAME     give it another password, or one where it has none, in the same way; its sessions end
          account lock NAME       sign it in nowhere, and end its sessions; what it has stays
          account unlock NAME     end that
          account remove NAME     remove it with its devices and sessions
          account list            tell every account in a line
          session list NAME       tell the account's sessions, the newest first
          session end NAME [SESSION]
                                  end all of them, or that one
          device list NAME        tell the account's devices
          device revoke NAME DEVICE
                                  revoke one, the last one too
          --listen ADDRESS:PORT   where to listen; default: 127.0.0.1:8470; port 0 lets the system choose
          --origin ORIGIN         what statements must name; default: http:// and the address
          --database WHERE        a file of SQLite, or postgresql://…; default: sign-in.db in the state folder
          --sign-up               let anybody make an account over HTTP
          --client-rate NUMBER    requests of a client in a second, and twice as many at once; 0 sets no limit; default: 100
          --tls-certificate FILE  the chain for TLS, in PEM
          --tls-key FILE          its key, in PEM
          --behind-proxy          believe X-Forwarded-For; only where nothing but a proxy can connect
          --quiet                 write no line for each request
          --version, --help

        The format of statements and every route are in docs/developers/sign-in.md.
        """

    static func parse(_ words: [String]) -> Result<Arguments, Problem> {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": arguments.action = .help
            case "--version": arguments.action = .version
            case "--sign-up": arguments.isSignUpOpen = true
            case "--behind-proxy": arguments.isBehindProxy = true
            case "--quiet": arguments.isQuiet = true
            case "account", "session", "device":
                guard let errand = Errand(word, &rest) else { return .failure(Problem(message: Errand.usage(word))) }
                arguments.action = .keep(errand)
            case "--listen", "--origin", "--database", "--client-rate", "--tls-certificate", "--tls-key":
                guard let value = rest.popFirst() else { return .failure(Problem(message: "\(word) needs a value")) }
                guard arguments.set(word, value) else { return .failure(Problem(message: "\(word) can't be that")) }
            default: return .failure(Problem(message: "there is an argument it doesn't know; see --help"))
            }
        }
        guard (arguments.certificate == nil) == (arguments.key == nil) else {
            return .failure(Problem(message: "--tls-certificate and --tls-key go together"))
        }
        return .success(arguments)
    }

    private mutating func set(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--listen":
            guard ListenAddress(value) != nil else { return false }
            listen = value
        case "--origin":
            guard Origin(value) != nil else { return false }
            origin = value
        case "--database":
            guard !value.isEmpty else { return false }
            database = value
        case "--client-rate":
            guard let rate = Int(value), (0...1_000_000).contains(rate) else { return false }
            clientRate = rate
        case "--tls-certificate": certificate = value
        default: key = value
        }
        return true
    }
}
