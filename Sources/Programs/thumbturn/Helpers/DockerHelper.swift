import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbSecrets

/// `thumbturn helper docker`, or `docker-credential-thumbturn`
enum DockerHelper {
    static let name = "docker"

    static let command = Command(
        name, "keep docker's sign-ins at registries",
        discussion: [
            "docker starts this as `docker-credential-thumbturn` once ~/.docker/config.json has `\"credsStore\": \"thumbturn\"`. podman, skopeo "
                + "and others read the same.",
            "The secret is called `docker:` and the registry, such as `docker:https://index.docker.io/v1/`; its account is the user's name "
                + "there. A registry has one. docker gives no options, so the protection of a new secret comes from the variable THUMBTURN_PROTECT.",
        ],
        operands: [Operand(.choice("OPERATION", ["store", "get", "erase", "list", "version"]), "what docker wants")],
        options: StoringTerms.options,
        examples: [
            Example("See at which registries you are signed in", "thumbturn helper docker list"),
            Example("Sign in, and be asked for a finger each time", "THUMBTURN_PROTECT=biometry docker login"),
        ]
    ) { invocation throws(Failure) in
        do throws(Failure) {
            return Outcome(forTool: try answer(invocation))
        } catch .keychain(.itemNotFound, about: _) {
            return Outcome(forTool: [.text(notFound)], status: Exit.no.rawValue)
        } catch {
            // docker shows its user what stands on standard output.
            return Outcome(forTool: [.text(error.words.message + "\n")], failure: error)
        }
    }

    /// What docker takes for *not signed in*, letter by letter.
    private static let notFound = "credentials not found in native keychain\n"

    private static func answer(_ invocation: Invocation) throws(Failure) -> [Outcome.Piece] {
        switch invocation.operands[0] {
        case "version": return [.text("docker-credential-thumbturn \(ProductVersion.current)\n")]
        case "list": return try list()
        case "store":
            let terms = try StoringTerms(invocation)
            let input = try SecretInput.readAll(from: 0)
            let credential = try ToolText.understood(from: name) { () throws(FormRefusal) in try DockerCredential(input) }
            try store(credential, terms)
        case "erase":
            let server = try server()
            try Daemon.connect()
            for kept in try ToolSecret.all(prefix + server) { try ToolSecret.remove(kept) }
        // Parsing accepts nothing else.
        default: return try get()
        }
        return []
    }

    private static let prefix = "\(name):"

    private static func server() throws(Failure) -> String {
        let input = try SecretInput.readAll(from: 0)
        return try ToolText.understood(from: name) { () throws(FormRefusal) in try DockerCredential.server(in: input) }
    }

    private static func store(_ credential: DockerCredential, _ terms: StoringTerms) throws(Failure) {
        try Daemon.connect()
        let new = SecretName(prefix + credential.server, account: credential.user)
        try ToolSecret.keep(credential.secret, as: new, terms)
        // docker asks by the registry alone, so there is one.
        for kept in try ToolSecret.all(new.name) where ExactName(kept.name.account) != ExactName(new.account) {
            try ToolSecret.remove(kept)
        }
    }

    private static func get() throws(Failure) -> [Outcome.Piece] {
        let server = try server()
        try Daemon.connect()
        guard let kept = try ToolSecret.all(prefix + server).first else {
            throw .keychain(.itemNotFound, about: .secret(prefix + server, account: ""))
        }
        let secret = try kept.name.open(reason: "give docker the sign-in at \(SafeText(server, limit: 80))")
        return JSON.object([
            ("ServerURL", .text(server)), ("Username", .text(kept.name.account)),
            ("Secret", try ToolText.json(secret, of: kept.name.thing, for: name)),
        ]).line()
    }

    /// The registries and the accounts. Nobody is asked.
    private static func list() throws(Failure) -> [Outcome.Piece] {
        try Daemon.connect()
        let members = try ToolSecret.all(beginning: prefix).map {
            (String($0.name.dropFirst(prefix.count)), JSON.text($0.account))
        }
        return JSON.object(members.sorted { $0.0 < $1.0 }).line()
    }
}
