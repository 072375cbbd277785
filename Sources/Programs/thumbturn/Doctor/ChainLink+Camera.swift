import ThumbAccess

// From a face to the daemon: the PAM module, and the files in which it keeps the faces that it knows.
extension ChainLink {
    static func camera(_ sensor: SensorFacts) -> ChainLink {
        func link(_ level: Level, _ finding: String, _ meaning: String) -> ChainLink {
            ChainLink(name: "driver", level: level, finding: finding, meaning: meaning, strength: 6)
        }
        if let fault = sensor.hindrance.flatMap(fault) {
            return link(.weak, "a PAM module, whose models are refused", "\(fault) The log names the file.")
        }
        guard sensor.tellsEnrolments else {
            return link(
                .weak, "a PAM module, whose models aren't named",
                "The daemon can't notice a new face, so it refuses secrets for the present faces. An administrator can name the "
                    + "files in which the module keeps faces; see thumbturn-face-models(5).")
        }
        return link(
            .sound, "a PAM module, and its models", "It recognizes faces, and a face that is added or replaced is noticed.")
    }

    /// What is wrong with a camera's models, in sentences.
    private static func fault(_ hindrance: SensorHindrance) -> String? {
        let off = "So the camera doesn't count."
        let blind = "So a new face isn't noticed, and secrets for the present faces are refused."
        return switch hindrance {
        case .modelsForeign: "Another user owns one of them and could add a face. \(off)"
        case .modelsWritable: "Others can write one of them and so add a face. \(off)"
        case .modelsLink: "One of them is a link, which could lead anywhere. \(off)"
        case .modelsSetting: "The file /etc/thumbturn/face-models, which should name them, isn't understood. \(blind)"
        case .modelsMissing: "There is no such folder as /etc/thumbturn/face-models names. \(blind)"
        case .modelsUnreadable: "The daemon may not read them; in system mode it may. \(blind)"
        case .modelsStrange: "One of them is neither a file nor a folder. \(blind)"
        case .modelsTooMany: "There are too many of them. \(blind)"
        case .modelsTooLarge: "They are too large. \(blind)"
        case .modelsTooDeep: "One of them lies too deep in its folder. \(blind)"
        case .modelsChanging: "They changed while they were read. \(blind)"
        case .noService, .noReader, .notPermitted, .asleep, .lidClosed, .unplugged: nil
        }
    }
}
