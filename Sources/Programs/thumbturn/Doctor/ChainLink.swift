import ThumbAccess
import ThumbClient

/// One link between a secret and whoever wants it.
struct ChainLink: Sendable {
    enum Level: String, Sendable {
        case sound = "ok"
        case weak
        case missing
    }

    let name: String
    let level: Level
    /// What was found.
    let finding: String
    /// What that means for the owner.
    let meaning: String
    /// The command that improves it; nil if none does.
    var mend: String?
    /// Its rank among the links that aren't sound; the lowest is the weakest.
    let strength: Int

    var json: JSON {
        .object([
            ("name", .text(name)), ("level", .text(level.rawValue)), ("finding", .text(finding)), ("meaning", .text(meaning)),
            ("mend", .optional(mend)),
        ])
    }

    /// Every link, in the order in which a secret's owner meets them.
    static func all(_ status: DeviceStatus, reader: USBReader?, prompt: PromptWay) -> [ChainLink] {
        [
            sensor(status, reader), driver(status, reader), enrolment(status), passcode(status), recovery(status), keys(status),
            enclave(status), store(status), daemon(status), self.prompt(prompt, status),
        ]
    }

    static func name(_ mode: DeviceMode) -> String {
        switch mode {
        case .user: "user"
        case .system: "system"
        case .simulated: "simulated"
        }
    }

    private static func daemon(_ status: DeviceStatus) -> ChainLink {
        let (level, meaning, strength): (Level, String, Int) =
            switch status.mode {
            case .system:
                (.sound, "Your secrets are safe from thieves, from other users and from programs that they don't belong to.", 4)
            case .user:
                (
                    .weak,
                    "Your secrets are safe from other users, and from somebody who steals the disk if the passcode is strong; "
                        + "not from programs that run as you.", 4
                )
            case .simulated: (.weak, "This device is a script for tests. Nothing that it says about an owner is true.", 0)
            }
        return ChainLink(
            name: "daemon", level: level, finding: "\(name(status.mode)) mode, process \(status.processID)", meaning: meaning,
            strength: strength)
    }

    private static func passcode(_ status: DeviceStatus) -> ChainLink {
        guard status.passcodeIsSet else {
            return ChainLink(
                name: "passcode", level: .missing, finding: "not set",
                meaning: "Nobody can tell whether you are the owner, and somebody who has the disk has every secret on it.",
                mend: "thumbturn passcode set",
                strength: 1)
        }
        if status.passcodeSource == .account {
            return ChainLink(
                name: "passcode", level: .sound,
                finding: "your account's password" + (status.passcodeWasGiven ? "" : ", not given since the daemon started"),
                meaning: "It counts if the system accepts it and it opens your secrets on the disk.", strength: 1)
        }
        return ChainLink(
            name: "passcode", level: .sound,
            finding: status.passcodeWasGiven ? "set" : "set, not given since the daemon started",
            meaning: passcodeMeaning(status),
            strength: 1)
    }

    private static func passcodeMeaning(_ status: DeviceStatus) -> String {
        if !status.passcodeWasGiven && !status.wasOpenedAtLogin {
            return "Until you give it, most secrets stay closed and the sensor doesn't count."
        }
        return status.opensAtLogin || status.wasOpenedAtLogin
            ? "A login by finger opens most of your secrets on the disk too; the rest can be opened only with it."
            : "Your secrets on the disk can be opened only with it."
    }

    private static func recovery(_ status: DeviceStatus) -> ChainLink {
        if status.hasRecoveryCode {
            return ChainLink(
                name: "recovery code", level: .sound, finding: "made",
                meaning: status.custodian == .tpm
                    ? "If you forget the passcode, or the TPM is cleared, it opens your secrets."
                    : "If you forget the passcode, it opens your secrets.", strength: 5)
        }
        return ChainLink(
            name: "recovery code", level: .missing, finding: "none",
            meaning: status.custodian == .tpm
                ? "If you forget the passcode, or the TPM is cleared, you lose every secret behind it."
                : "If you forget the passcode, you lose every secret behind it.",
            mend: status.passcodeIsSet ? "thumbturn passcode recovery" : "thumbturn passcode set", strength: 5)
    }

    private static func store(_ status: DeviceStatus) -> ChainLink {
        let finding = "\(status.items) item\(status.items == 1 ? "" : "s")"
        if status.quarantined == 0, status.quota.isNear(status.usage) {
            return ChainLink(
                name: "store", level: .weak, finding: finding + ", nearly as much as it may hold",
                meaning: "\(status.usage.items) of \(status.quota.items) items and \(status.usage.bytes >> 20) of "
                    + "\(status.quota.bytes >> 20) MiB are used. When it is full, programs can read, change and remove items, but not add "
                    + "any.", mend: "thumbturn secret list", strength: 2)
        }
        if status.quarantined == 0 {
            return ChainLink(name: "store", level: .sound, finding: finding, meaning: "Every record can be opened.", strength: 2)
        }
        return ChainLink(
            name: "store", level: .weak, finding: finding + ", \(status.quarantined) damaged",
            meaning: "Something other than the daemon changed these records. They are left as they are, so that a backup can "
                + "replace them.", strength: 2)
    }

    private static func keys(_ status: DeviceStatus) -> ChainLink {
        switch status.custodian {
        case .tpm:
            ChainLink(
                name: "keys", level: .sound, finding: "held by the TPM",
                meaning: "Somebody who has only the disk has no key. The TPM counts how often a passcode is guessed.", strength: 3
            )
        case .software:
            ChainLink(
                name: "keys", level: .weak, finding: "held in a file",
                meaning:
                    "Somebody who has the disk can open the secrets of the class 'always'. The others need the passcode, which "
                    + "can be guessed on the disk without limit.", strength: 3)
        }
    }

    private static func enclave(_ status: DeviceStatus) -> ChainLink {
        switch status.enclave {
        case .tpm:
            ChainLink(
                name: "enclave keys", level: .sound, finding: "held by the TPM",
                meaning: "Keys that never leave the device stay in its TPM.", strength: 8)
        case .software:
            ChainLink(
                name: "enclave keys", level: .weak, finding: "held in software",
                meaning: "Keys don't leave the daemon, but somebody who has the disk and the passcode has them too.", strength: 8)
        case nil:
            ChainLink(
                name: "enclave keys", level: .missing, finding: "refused, because there is no TPM",
                meaning: "Keys that never leave the device can't be made. They can be held in software if you allow it.",
                mend: "thumbturn allow software-keys", strength: 8)
        }
    }
}
