internal import ThumbAccess

/// Fingers by the names they have on the command line.
enum FingerNames {
    static let all = Finger.allCases.map(name)

    static func name(_ finger: Finger) -> String {
        switch finger {
        case .leftThumb: "left-thumb"
        case .leftIndex: "left-index"
        case .leftMiddle: "left-middle"
        case .leftRing: "left-ring"
        case .leftLittle: "left-little"
        case .rightThumb: "right-thumb"
        case .rightIndex: "right-index"
        case .rightMiddle: "right-middle"
        case .rightRing: "right-ring"
        case .rightLittle: "right-little"
        }
    }

    static func finger(_ name: String, _ path: [String]) throws(Failure) -> Finger {
        guard let finger = Finger.allCases.first(where: { self.name($0) == name }) else {
            throw .usage("there is no such finger: one of \(all.joined(separator: ", "))", path)
        }
        return finger
    }
}
