/// The version of everything that is built and installed together. It stands here alone: `--version`, the man pages and the package's
/// name are made from it, and a test holds docs/openapi.yaml to it.
public enum ProductVersion {
    /// By the rules of semantic versioning.
    public static let current = "0.1.0"
}
