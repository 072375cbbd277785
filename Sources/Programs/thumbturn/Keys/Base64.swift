import ThumbAccess

extension Base64 {
    /// Reads base64 as others write it, in lines or not; nil for anything that isn't whole base64.
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        padded.decoded(text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) })
    }
}
