/// Limits on messages and calls. The bus itself would let 128 MiB through.
public enum BusLimit {
    /// Values in a message, all levels together: a reader has ten fingers and a dozen properties.
    public static let values = 4096
    /// Containers within containers: a dictionary of interfaces of properties is five.
    public static let depth = 8
    /// Bytes of a text: D-Bus's own limit for names is 255, fprintd's and logind's texts are shorter still.
    public static let text = 4096
    /// Bytes of a text in a call to us: the address of a page in an item's attributes may have tens of thousands.
    public static let argumentText = 64 << 10
    /// Bytes of an array of bytes: somewhat more than the largest secret that the keychain takes.
    public static let bytes = (1 << 20) + 4096
    /// Bytes of all texts and arrays of bytes of one call to us: the largest secret, and attributes of the same size, unless told
    /// otherwise.
    public static let argumentBytes = 2 << 20
    /// Calls that wait for their answer: our parts make a handful at a time.
    public static let calls = 256
    /// Calls of one connection that we haven't answered yet: a program that reads a thousand items at once is busy, not hostile.
    public static let answeringOne = 1024
    /// Calls of all connections that we haven't answered yet: four such programs.
    public static let answeringAll = 4096
    /// Bytes of the values of one connection's calls that we haven't answered yet: eight of the largest.
    public static let heldOfOne = 16 << 20
    /// Bytes of the values of all calls that we haven't answered yet: four such programs.
    public static let heldOfAll = 64 << 20
    /// Messages taken in one turn of the loop: others wait for theirs meanwhile.
    public static let turn = 64
    /// Messages that wait because the bus takes no more of them. Beyond this we read nothing, so that whoever floods us waits too.
    public static let queued = 1024
}
