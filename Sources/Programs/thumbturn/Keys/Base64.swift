import ThumbAccess

extension Base64 {
    /// Decodes base64 from other programs, with or without line breaks. nil if it isn't complete base64.
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        padded.decoded(text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) })
    }
}
