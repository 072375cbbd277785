/// What may be the host of an origin.
enum Host {
    /// The hosts that plain HTTP may name: nobody can be between a program and its own machine.
    static let ofThisMachine: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether it is a name, an IPv4 address, or an IPv6 address in brackets, in its one form.
    static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { return false }
            return isAddress6(bytes.dropFirst().dropLast())
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let last = labels.last, labels.allSatisfy(isLabel) else { return false }
        // A browser reads a host whose last label is a number as an address, in forms that few people know.
        return isNumber(last) ? isAddress4(labels) : true
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
            return false
        }
        return label.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        label.allSatisfy(isDigit) || label.starts(with: "0x".utf8) && label.dropFirst(2).allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isAddress4(_ labels: [ArraySlice<UInt8>]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                let text = String(decoding: label, as: UTF8.self)
                return UInt8(text).map { String($0) == text } ?? false
            }
    }

    /// Whether it is an IPv6 address as RFC 5952 writes it.
    private static func isAddress6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let groups = groups(bytes) else { return false }
        return written(groups).utf8.elementsEqual(bytes)
    }

    /// The eight groups of the address, in whichever form it is written.
    private static func groups(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 9 else { return nil }
        var (groups, gap): ([UInt16], Int?) = ([], nil)
        for part in parts {
            if part.isEmpty {
                // Adjacent empty parts are one gap. Comparing the written form shows whether there are too many.
                guard gap == nil || gap == groups.count else { return nil }
                gap = groups.count
            } else {
                guard part.count <= 4, part.allSatisfy(isHexadecimal),
                    let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }

    /// The first of the longest runs of zeros is left out, but never a single zero.
    private static func written(_ groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(1, longest.count) { longest = start..<end }
            start = max(end, start + 1)
        }
        func text(_ groups: ArraySlice<UInt16>) -> String { groups.map { String($0, radix: 16) }.joined(separator: ":") }
        if longest.isEmpty { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}
