import CThumbLinux
import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbSecrets

/// `thumbturn helper kubectl`, or `thumbturn-kubectl-credentials`
enum KubectlHelper {
    static let name = "kubectl"

    static let command = Command(
        name, "give kubectl a token or a client's certificate",
        discussion: [
            "kubectl and the libraries of Kubernetes run the program that a user's `exec` in the kubeconfig names. This one prints the secret "
                + "NAME as a token. If the secret has fields, they are `token`, or `client-certificate` and `client-key` in PEM, or all three.",
            "You are asked each time such a program starts and needs them.",
        ],
        operands: [SecretName.known], options: [SecretName.accountOption],
        examples: [
            Example(
                "Keep a token, and have a user of the kubeconfig use it", "thumbturn secret add cluster",
                "kubectl config set-credentials anna --exec-arg=cluster \\",
                "    --exec-command=thumbturn-kubectl-credentials \\",
                "    --exec-api-version=client.authentication.k8s.io/v1 \\",
                "    --exec-interactive-mode=IfAvailable"),
            Example("See what kubectl would get", "thumbturn helper kubectl cluster"),
        ]
    ) { invocation throws(Failure) in
        let version = try version()
        try Daemon.connect()
        let name = try WantedSecret(invocation).kept().name
        let status = try status(name, name.open(reason: "give kubectl the \(name.shown)"))
        return Outcome(
            forTool: JSON.object([
                ("apiVersion", .text(version.rawValue)), ("kind", .text(KubernetesExec.kind)), ("status", .object(status)),
            ]).line())
    }

    /// What was asked for. A person who tries it out has asked for none.
    private static func version() throws(Failure) -> KubernetesExec {
        guard let text = unsafe getenv(KubernetesExec.variable).map({ unsafe String(cString: $0) }) else { return .stable }
        guard let question = try? SecretBytes(copying: text.utf8) else { throw .noLockedMemory }
        return try ToolText.understood(from: name) { () throws(FormRefusal) in try KubernetesExec(question) }
    }

    private static let token = "token"
    private static let certificate = [
        ("clientCertificateData", "client-certificate"), ("clientKeyData", "client-key"),
    ]

    private static func status(_ name: SecretName, _ secret: SecretBytes) throws(Failure) -> [(String, JSON)] {
        let fields: ToolFields
        do throws(Failure) {
            fields = try ToolFields(secret, of: name.thing, for: Self.name, needed: [token])
        } catch .helper(.fieldsNeeded) {
            let line = try ToolText.line(secret, of: name.thing, for: Self.name)
            return [(token, try ToolText.json(line, of: name.thing, for: Self.name))]
        }
        var status: [(String, JSON)] = []
        for (member, field) in certificate {
            if let value = try fields.wholeJSON(field) { status.append((member, value)) }
        }
        // Half a certificate is of no use, and says so by the field that is missing.
        if !status.isEmpty { for (_, field) in certificate { _ = try fields.needsWhole(field) } }
        if let value = try fields.json(token) { status.append((token, value)) }
        if status.isEmpty { _ = try fields.needed(token) }
        return status
    }
}
