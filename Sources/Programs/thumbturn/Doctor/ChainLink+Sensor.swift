import ThumbAccess

// From the finger to the daemon: the reader, its driver, whose fingers it knows.
extension ChainLink {
    static func sensor(_ status: DeviceStatus, _ reader: USBReader?) -> ChainLink {
        guard status.biometry != .none else {
            if let reader {
                return ChainLink(
                    name: "sensor", level: .weak, finding: "a fingerprint reader (USB \(reader.id)), not in use",
                    meaning: "It is there; the next line says what is wrong.", strength: 7)
            }
            return ChainLink(
                name: "sensor", level: .missing, finding: "no sensor", meaning: "Only the passcode can show that you are there.",
                strength: 9)
        }
        let kind = status.biometry == .touchID ? "a fingerprint reader" : "a camera for faces"
        let finding = status.sensor.name.isEmpty ? kind : "\(kind), \(status.sensor.name)"
        switch status.sensor.hindrance {
        case .asleep:
            return ChainLink(
                name: "sensor", level: .weak, finding: finding + ", asleep", meaning: "It comes back when the machine wakes up.",
                strength: 7)
        case .lidClosed:
            return ChainLink(
                name: "sensor", level: .weak, finding: finding + ", behind the lid",
                meaning: "It counts only while the lid is open.",
                strength: 7)
        case .unplugged:
            return ChainLink(
                name: "sensor", level: .missing, finding: finding + (reader == nil ? ", unplugged" : ", not in use"),
                meaning: reader == nil
                    ? "It knew your fingers when it was last here. It counts again once it is plugged in."
                    : "It is there; the next line says what is wrong.", strength: 7)
        // The driver's link says more about these.
        case .noService, .noReader, .notPermitted, .modelsForeign, .modelsWritable, .modelsLink, .modelsSetting, .modelsMissing,
            .modelsUnreadable, .modelsStrange, .modelsTooMany, .modelsTooLarge, .modelsTooDeep, .modelsChanging, nil:
            break
        }
        if status.isBiometryLocked {
            return ChainLink(
                name: "sensor", level: .weak, finding: finding + ", locked",
                meaning: "After too many misses it doesn't count again until you give the passcode.", mend: "thumbturn verify",
                strength: 6)
        }
        if status.biometryLevel == .convenience {
            return ChainLink(
                name: "sensor", level: .weak, finding: finding + ", at convenience level",
                meaning: "It can show that you are there, but a picture of you may do the same. A secret can refuse it.",
                strength: 6)
        }
        return ChainLink(name: "sensor", level: .sound, finding: finding, meaning: "It can show that you are there.", strength: 6)
    }

    static func driver(_ status: DeviceStatus, _ reader: USBReader?) -> ChainLink {
        func link(_ level: Level, _ finding: String, _ meaning: String, mend: String? = nil) -> ChainLink {
            // If there is no reader, a missing driver doesn't matter much.
            ChainLink(
                name: "driver", level: level, finding: finding, meaning: meaning, mend: mend, strength: reader == nil ? 10 : 6)
        }
        if status.mode == .simulated { return link(.sound, "a script", "A script gives its answers.") }
        if status.biometry == .faceID { return camera(status.sensor) }
        if reader?.support == .unsupported, status.biometry == .none {
            return link(.missing, "none for this reader", "The library libfprint lists it as a reader that it can't drive.")
        }
        switch status.sensor.hindrance {
        case .noService:
            return link(
                .missing, "fprintd doesn't answer",
                reader == nil
                    ? "Nothing here could drive a reader." : "There is a driver for the reader, but nothing that runs it.",
                mend: reader == nil ? nil : "apt install fprintd")
        case .noReader, .unplugged:
            return link(
                .missing, "fprintd, without a reader",
                reader == nil
                    ? "It finds nothing to drive."
                    : "It has a driver for that reader but doesn't find it; another program may be using it.",
                mend: reader == nil ? nil : "systemctl restart fprintd")
        case .notPermitted:
            return link(
                .weak, "fprintd, which refuses",
                "Only somebody who sits at this machine may use the reader, so it doesn't work over SSH.")
        // A camera has its own link.
        case .asleep, .lidClosed, .modelsForeign, .modelsWritable, .modelsLink, .modelsSetting, .modelsMissing, .modelsUnreadable,
            .modelsStrange, .modelsTooMany, .modelsTooLarge, .modelsTooDeep, .modelsChanging, nil:
            break
        }
        if !status.sensor.tellsEnrolments {
            return ChainLink(
                name: "driver", level: .weak, finding: "fprintd, without its templates",
                meaning:
                    "The daemon can't notice a finger that was replaced under the same name, so it refuses secrets for the "
                    + "present fingers." + (status.mode == .user ? " System mode can." : ""),
                mend: status.mode == .user ? "sudo thumbturn system-mode on" : nil, strength: 6)
        }
        return link(
            .sound, "fprintd",
            status.sensor.tellsFingers
                ? "It reports whether a finger matched, and when that finger has left, so one touch never answers two prompts."
                : "It hasn't reported yet when a finger lies on the reader, and not every driver does. Until then a one-second "
                    + "pause after each prompt keeps one touch from answering two.")
    }

    static func enrolment(_ status: DeviceStatus) -> ChainLink {
        if status.biometry == .none {
            return ChainLink(
                name: "enrolment", level: .missing, finding: "nobody",
                meaning: "There is no sensor to enroll with.", strength: 10)
        }
        if let hindrance = status.sensor.hindrance, hindrance == .unplugged || hindrance.distrustsModels {
            return ChainLink(
                name: "enrolment", level: .weak, finding: "not asked",
                meaning: "Not checked, because the sensor isn't used at the moment.", strength: 10)
        }
        return status.isEnrolled
            ? ChainLink(
                name: "enrolment", level: .sound, finding: "somebody", meaning: "The sensor knows a finger or a face.",
                strength: 6)
            : ChainLink(
                name: "enrolment", level: .missing, finding: "nobody", meaning: "The sensor doesn't know anybody yet.",
                mend: status.biometry == .touchID ? "thumbturn enroll" : nil, strength: 6)
    }
}
