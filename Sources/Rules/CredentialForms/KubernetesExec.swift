public import ThumbSecrets

/// What kubectl says to a program that it runs for a credential: a JSON object in a variable of the environment.
public enum KubernetesExec: String, Sendable, Hashable, CaseIterable {
    // The versions of the protocol, of which the answer has the one that was asked for.
    case beta = "client.authentication.k8s.io/v1beta1"
    case stable = "client.authentication.k8s.io/v1"

    /// The variable that has it.
    public static let variable = "KUBERNETES_EXEC_INFO"
    /// What both the question and the answer are.
    public static let kind = "ExecCredential"

    /// Reads the variable. Fails with `malformed`, `incomplete` if it is another object, and `unspeakable` for another version.
    public init(_ input: SecretBytes) throws(FormRefusal) {
        let object = try SecretJSON(input)
        guard try object.text("kind") == Self.kind, let name = try object.text("apiVersion") else { throw .incomplete }
        guard let version = KubernetesExec(rawValue: name) else { throw .unspeakable }
        self = version
    }
}
