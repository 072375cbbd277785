/// The version of everything that is built and installed together. `--version` and the man pages are made from it. Tests compare
/// docs/openapi.yaml, the C library, what is installed of it, and Debian's changelog with it.
public enum ProductVersion {
    /// According to the rules of semantic versioning.
    public static let current = "0.1.0"
}
