import ThumbAssembly

/// What the daemon was told to do.
struct Arguments: Sendable {
    enum Action: Sendable { case serve, launch, recover, acceptLosses, help, version }

    struct Problem: Error { let message: String }

    var action = Action.serve
    /// One daemon for every user of the machine, each with a store.
    var isSystem = false
    var socket: String?
    var state: String?
    /// Where root keeps which programs are protected, in place of where it is kept.
    var protected: String?
    /// Where the TPM is, in the word that was given.
    var tpm: String?
    /// A descriptor that gets one byte when the daemon listens.
    var readyDescriptor: Int32?
    /// Seconds without a connection after which the daemon ends: its keys are then out of memory too.
    var idleSeconds = 600.0
    /// Where another fprintd than the machine's is: for tests, on a store of their own; "none": there is no reader.
    var bus: String?
    var busOwner: UInt32?
    var templates: String?
    /// The owner counts as seated before every prompt: for tests, on a store of their own.
    var isSeatOpen = false
    var hasOtherReader: Bool { bus != nil || busOwner != nil || templates != nil || isSeatOpen }
    /// Whether anything is believed that this machine's own reader and login manager don't say.
    var believesTests: Bool { hasOtherReader && (bus != "none" || isSeatOpen) }

    static let help = """
        thumbturnd: keeps secrets that only their owner's finger, face or passcode releases.

        usage: thumbturnd [--serve | --launch | --system] [--socket PATH] [--state FOLDER] [--protected FILE]
                          [--idle SECONDS] [--tpm WHERE]
               thumbturnd --recover | --accept-losses [--state FOLDER] [--tpm WHERE]

          --serve          serve in the foreground (the default)
          --launch         start a daemon in the background; ends when it listens, or when one already does
          --system         serve every user of the machine, in the foreground, each with a store of their own
          --recover        open a store whose TPM is gone with the recovery code, from standard input; then end
          --accept-losses  go on with a store that something is missing from, or that is an old copy; then end
          --socket PATH    where to listen; default: thumbturn/socket in the user's runtime folder;
                           the system's: /run/thumbturn/socket
          --state FOLDER   where keybag and store are; default: thumbturn in the user's data folder;
                           the system's: /var/lib/thumbturn, with a folder for each user
          --protected FILE the registry of protected programs; default: /etc/thumbturn/protected
          --idle SECONDS   end after so long without a connection; 0 never does; default 600; for the system's also how long
                           one user's store stays open without one
          --tpm WHERE      the TPM that holds keys: none, device, tabrmd or swtpm:SOCKET; default: device if it can be opened
          --bus ADDRESS, --bus-owner UID, --templates FOLDER
                           another fprintd than the machine's, for tests; only with --state, and never with the user's own
          --seat open      its owner counts as seated before every prompt: for tests, as above
          --bus none       no reader at all, whatever the machine has
          --version, --help

        Programs that use Thumbturn start it by themselves.
        """

    static func parse(_ words: [String]) -> Result<Arguments, Problem> {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--serve": arguments.action = .serve
            case "--launch": arguments.action = .launch
            case "--system": arguments.isSystem = true
            case "--recover": arguments.action = .recover
            case "--accept-losses": arguments.action = .acceptLosses
            case "--help", "-h": arguments.action = .help
            case "--version": arguments.action = .version
            case "--socket", "--state", "--protected", "--idle", "--tpm", "--ready-fd",
                "--bus", "--bus-owner", "--templates", "--seat":
                guard let value = rest.popFirst() else { return .failure(Problem(message: "\(word) needs a value")) }
                guard arguments.set(word, value) else { return .failure(Problem(message: "\(word) can't be that")) }
            default: return .failure(Problem(message: "there is an argument it doesn't know; see --help"))
            }
        }
        // Said before anything is made: whether the folder is the user's own after all is looked at when it is there.
        if arguments.believesTests, arguments.state == nil {
            return .failure(Readers.otherReader)
        }
        if arguments.isSystem {
            guard case .serve = arguments.action else {
                return .failure(Problem(message: "--system serves, and does nothing else"))
            }
        }
        return .success(arguments)
    }

    private mutating func set(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--socket":
            guard value.hasPrefix("/") else { return false }
            socket = value
        case "--state":
            guard value.hasPrefix("/") else { return false }
            state = value
        case "--protected":
            guard value.hasPrefix("/") else { return false }
            protected = value
        case "--idle":
            guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else { return false }
            idleSeconds = seconds
        case "--tpm":
            guard TPMSetting(value) != nil else { return false }
            tpm = value
        case "--bus":
            guard value == "none" || value.hasPrefix("unix:path=/") else { return false }
            bus = value
        case "--bus-owner":
            guard let user = UInt32(value) else { return false }
            busOwner = user
        case "--seat":
            guard value == "open" else { return false }
            isSeatOpen = true
        case "--templates":
            guard value.hasPrefix("/") else { return false }
            templates = value
        default:
            guard let descriptor = Int32(value), descriptor > 2 else { return false }
            readyDescriptor = descriptor
        }
        return true
    }
}
