/// The version of everything that is built and installed together. It is written only here: `--version`, the man pages and the package's
/// name are made from it, and a test compares docs/openapi.yaml with it.
public enum ProductVersion {
    /// According to the rules of semantic versioning.
    public static let current = "0.1.0"
}
