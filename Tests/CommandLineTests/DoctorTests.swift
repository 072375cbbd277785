import Foundation
import Testing
import ThumbAccess
import ThumbCommands

@testable import ThumbClient
@testable import thumbturn

@Suite("The doctor's judgement")
struct DoctorTests {
    /// A device with every link sound.
    private static let sound = DeviceStatus(
        mode: .system, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true, passcodeWasGiven: true,
        hasRecoveryCode: true, isSessionLocked: false, items: 3, quarantined: 0, custodian: .tpm, enclave: .tpm,
        processID: 7, sensor: SensorFacts(name: "A reader"))

    private func weakest(
        reader: USBReader? = nil, prompt: PromptWay = .terminal, _ change: (inout DeviceStatus) -> Void = { _ in }
    ) -> String? {
        var status = Self.sound
        change(&status)
        return ChainLink.all(status, reader: reader, prompt: prompt).filter { $0.level != .sound }.min {
            $0.strength < $1.strength
        }?
        .name
    }

    /// What is said of the way to the reader.
    private func driver(_ change: (inout DeviceStatus) -> Void) -> String {
        var status = Self.sound
        change(&status)
        return ChainLink.all(status, reader: nil, prompt: .terminal).first { $0.name == "driver" }?.meaning ?? ""
    }

    @Test("A sound device ends with 0")
    func fine() {
        let outcome = Doctor.outcome(Self.sound, reader: nil, prompt: .agent)
        #expect(outcome.exit == .done)
        #expect(weakest() == nil)
    }

    @Test("Whatever is weak is found, and ends with 1")
    func each() {
        #expect(weakest { $0.mode = .user } == "daemon")
        #expect(weakest { $0.mode = .simulated } == "daemon")
        #expect(weakest { $0.biometry = .none } == "sensor")
        #expect(weakest { $0.isBiometryLocked = true } == "sensor")
        #expect(weakest { $0.isEnrolled = false } == "enrolment")
        #expect(weakest { $0.passcodeIsSet = false } == "passcode")
        #expect(weakest { $0.hasRecoveryCode = false } == "recovery code")
        #expect(weakest { $0.quarantined = 1 } == "store")
        #expect(weakest { $0.usage = StoreUsage(items: 80_000, bytes: 0) } == "store")
        #expect(weakest { $0.usage = StoreUsage(items: 79_999, bytes: 800 << 20) } == nil)
        #expect(weakest { $0.usage = StoreUsage(items: 0, bytes: 900 << 20) } == "store")
        #expect(weakest { $0.custodian = .software } == "keys")
        #expect(weakest { $0.enclave = .software } == "enclave keys")
        #expect(weakest { $0.enclave = nil } == "enclave keys")
        var status = Self.sound
        status.custodian = .software
        #expect(Doctor.outcome(status, reader: nil, prompt: .agent).exit == .no)
    }

    @Test("A simulated device is the weakest of all, then a missing passcode, and a missing sensor the least")
    func order() {
        let bare: (inout DeviceStatus) -> Void = {
            $0.biometry = .none
            $0.passcodeIsSet = false
            $0.hasRecoveryCode = false
            $0.quarantined = 1
            $0.custodian = .software
            $0.mode = .user
        }
        #expect(weakest(bare) == "passcode")
        #expect(
            weakest {
                bare(&$0)
                $0.mode = .simulated
            } == "daemon")
        #expect(
            weakest {
                $0.mode = .user
                $0.biometry = .none
            } == "daemon")
    }

    @Test("A reader that isn't in use is told from its driver, and each has its own remedy")
    func reader() {
        let driven = USBReader(id: "27c6:538d", support: .driver("goodixmoc"))
        let foreign = USBReader(id: "27c6:533c", support: .unsupported)
        func links(_ reader: USBReader?, _ hindrance: SensorHindrance) -> (sensor: ChainLink, driver: ChainLink) {
            var status = Self.sound
            status.biometry = .none
            status.isEnrolled = false
            status.sensor = SensorFacts(hindrance: hindrance)
            let links = ChainLink.all(status, reader: reader, prompt: .terminal)
            return (links[0], links[1])
        }
        let unserved = links(driven, .noService)
        #expect(unserved.sensor.finding == "a fingerprint reader (USB 27c6:538d), not in use")
        #expect(unserved.driver.mend == "apt install fprintd")
        #expect(links(driven, .noReader).driver.mend == "systemctl restart fprintd")
        #expect(links(foreign, .noReader).driver.finding == "none for this reader")
        #expect(links(foreign, .noReader).driver.mend == nil)
        #expect(links(nil, .noService).sensor.finding == "no sensor" && links(nil, .noService).driver.mend == nil)
        #expect(
            weakest(reader: driven) {
                $0.biometry = .none
                $0.isEnrolled = false
                $0.sensor.hindrance = .noService
            } == "driver")
    }

    @Test("What hinders a reader that is there is told of the part that it lies with")
    func hindrances() {
        #expect(weakest { $0.sensor.hindrance = .asleep } == "sensor")
        #expect(weakest { $0.sensor.hindrance = .lidClosed } == "sensor")
        #expect(weakest { $0.sensor.hindrance = .notPermitted } == "driver")
        #expect(weakest { $0.sensor.tellsEnrolments = false } == "driver")
        for (mode, mend) in [(DeviceMode.user, "sudo thumbturn system-mode on"), (.system, nil)] {
            var status = Self.sound
            (status.mode, status.sensor.tellsEnrolments) = (mode, false)
            let link = ChainLink.all(status, reader: nil, prompt: .terminal).first { $0.name == "driver" }
            #expect(link?.level == .weak && link?.mend == mend)
        }
        #expect(driver { $0.sensor.tellsFingers = false }.contains("a one-second pause"))
        #expect(driver { $0.sensor.tellsFingers = true }.contains("one touch never answers two"))
        #expect(weakest { $0.biometryLevel = .convenience } == "sensor")
    }

    @Test("A reader that was unplugged is missing by its name, and its fingers aren't said to be nobody's")
    func unplugged() {
        func links(_ reader: USBReader?) -> [ChainLink] {
            var status = Self.sound
            (status.isEnrolled, status.sensor.hindrance, status.sensor.tellsEnrolments) = (false, .unplugged, false)
            return ChainLink.all(status, reader: reader, prompt: .terminal)
        }
        let gone = links(nil)
        #expect(gone[0].finding == "a fingerprint reader, A reader, unplugged" && gone[0].level == .missing)
        #expect(gone[1].finding == "fprintd, without a reader")
        #expect(gone[2].name == "enrolment" && gone[2].finding == "not asked")
        #expect(gone.filter { $0.level != .sound }.min { $0.strength < $1.strength }?.name == "sensor")
        // On the bus it is there, and the driver is at fault.
        let there = links(USBReader(id: "27c6:538d", support: .driver("goodixmoc")))
        #expect(there[0].finding == "a fingerprint reader, A reader, not in use")
        #expect(there[1].mend == "systemctl restart fprintd")
    }

    @Test("A camera's link says whether its models are named, and why they were refused")
    func camera() {
        func links(_ change: (inout SensorFacts) -> Void) -> [ChainLink] {
            var status = Self.sound
            (status.biometry, status.biometryLevel, status.sensor) = (.faceID, .convenience, SensorFacts())
            change(&status.sensor)
            return ChainLink.all(status, reader: nil, prompt: .terminal)
        }
        #expect(links { _ in }[1].level == .sound)
        let unnamed = links { $0.tellsEnrolments = false }[1]
        #expect(unnamed.level == .weak && unnamed.meaning.contains("thumbturn-face-models(5)"))
        var meanings: Set<String> = []
        for hindrance in SensorHindrance.allCases where hindrance.isAboutModels {
            let refused = links { ($0.hindrance, $0.tellsEnrolments) = (hindrance, false) }
            #expect(refused[1].level == .weak && refused[1].meaning.hasSuffix("The log names the file."))
            let isOff = refused[1].meaning.contains("So the camera doesn't count.")
            #expect(isOff == hindrance.distrustsModels && (refused[2].finding == "not asked") == isOff)
            meanings.insert(refused[1].meaning)
        }
        #expect(meanings.count == SensorHindrance.allCases.count(where: \.isAboutModels))
    }

    @Test("Where nobody could be asked the prompt is the weakest link, and a missing program says how to get it")
    func prompt() {
        for way in [PromptWay.agent, .startedAgent, .window, .terminal] { #expect(weakest(prompt: way) == nil) }
        #expect(weakest(prompt: .nowhere) == "prompt")
        let link = ChainLink.all(Self.sound, reader: nil, prompt: .notInstalled).last
        #expect(link?.name == "prompt" && link?.level == .missing && link?.mend == "make install")
        let unknown = ChainLink.all(Self.sound, reader: nil, prompt: .withoutGroup("/usr/libexec/thumbturn/thumbturn-prompt"))
            .last
        #expect(unknown?.level == .missing)
        #expect(unknown?.mend == "sudo thumbturn protect --name prompt /usr/libexec/thumbturn/thumbturn-prompt")
    }

    @Test("An installed prompt without the group that vouches for it is seen by its file; root's own needs none")
    func vouching() throws {
        let prompt = FileManager.default.temporaryDirectory.appending(path: "prompt-\(UUID())").path
        try Data().write(to: URL(filePath: prompt))
        defer { unlink(prompt) }
        try #require(chmod(prompt, 0o755) == 0)
        #expect(PromptWay.vouched(prompt, .terminal, by: 1000) == .withoutGroup(prompt))
        #expect(PromptWay.vouched(prompt, .terminal, by: 0) == .terminal)
        try #require(chmod(prompt, 0o2755) == 0)
        #expect(PromptWay.vouched(prompt, .window, by: 1000) == .window)
    }

    @Test("What a program of the user could still do is told for the mode, in one line each; a passcode takes one of them away")
    func stillPossible() {
        func list(_ mode: DeviceMode, _ change: (inout DeviceStatus) -> Void = { _ in }) -> [String] {
            var status = Self.sound
            status.mode = mode
            change(&status)
            let lines = Doctor.outcome(status, reader: nil, prompt: .agent).text.compactMap {
                if case .text(let line) = $0 { line } else { nil }
            }
            let told = StillPossible.list(status)
            // Each stands there as one line that a terminal doesn't break.
            for line in told { #expect(lines.contains("  " + line + "\n") && line.count + 2 <= Prose.width, "\(line)") }
            return told
        }
        let (user, system) = (list(.user), list(.system))
        #expect(!user.isEmpty && !system.isEmpty && Set(user).count == user.count && Set(system).count == system.count)
        // What takes the daemon's own uid, or any program's being a prompt, is kept from a program of the user's in system mode.
        for word in ["trace the daemon", "prompt of its own making", "remove the store"] {
            #expect(user.contains { $0.contains(word) } && !system.contains { $0.contains(word) }, "\(word)")
        }
        let first = Set(list(.user) { $0.passcodeIsSet = false }).subtracting(user)
        #expect(first == ["choose the first passcode, and be the owner from then on"])
        #expect(Set(list(.user) { $0.passcodeSource = .account }).subtracting(user).count == 1)
        #expect(list(.system) { $0.passcodeIsSet = false } == system)
        #expect(list(.simulated).count == 1)
    }

    @Test("libfprint's own list tells readers it drives from readers it doesn't")
    func list() {
        let table = USBReader.table(
            """
            # Supported by libfprint driver goodixmoc
            usb:v27C6p538D*
            usb:v27c6p5840*
             ID_AUTOSUSPEND=1

            # Known unsupported devices
            usb:v27C6p533C*
            usb:v27C6
            usb:vXXXXpYYYY*
            """)
        #expect(
            table == ["27c6:538d": .driver("goodixmoc"), "27c6:5840": .driver("goodixmoc"), "27c6:533c": .unsupported])
    }

    @Test("The list that udev brings along is read, and a reader on the bus is found in it")
    func bus() throws {
        let text = try String(contentsOfFile: USBReader.list, encoding: .utf8)
        let table = USBReader.table(text)
        // Every line that names a reader is one.
        #expect(table.count == Set(text.split(separator: "\n").filter { $0.hasPrefix("usb:v") }).count)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, id) in [("1-1", "1d6b:0002"), ("1-2", "08ff:1600"), ("usb1", nil)] as [(String, String?)] {
            let device = folder.appending(path: name)
            try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
            guard let id = id?.split(separator: ":") else { continue }
            try (id[0] + "\n").write(to: device.appending(path: "idVendor"), atomically: true, encoding: .utf8)
            try (id[1] + "\n").write(to: device.appending(path: "idProduct"), atomically: true, encoding: .utf8)
        }
        #expect(USBReader.find(devices: folder.path) == USBReader(id: "08ff:1600", support: .driver("aes1610")))
        #expect(USBReader.find(devices: folder.path + "/1-1") == nil && USBReader.find(devices: "/nowhere") == nil)
    }

    @Test("What can be mended says with which command")
    func mends() {
        for link in ChainLink.all(Self.sound, reader: nil, prompt: .window) {
            #expect(link.level == .sound && link.mend == nil, "\(link.name)")
        }
        var status = Self.sound
        status.hasRecoveryCode = false
        status.isEnrolled = false
        status.enclave = nil
        #expect(
            ChainLink.all(status, reader: nil, prompt: .terminal).compactMap(\.mend) == [
                "thumbturn enroll", "thumbturn passcode recovery", "thumbturn allow software-keys",
            ])
    }

    /// Devices of every kind that a link has words for.
    private static let kinds: [DeviceStatus] = {
        var all: [DeviceStatus] = [sound]
        func vary(_ change: (inout DeviceStatus) -> Void) {
            var status = sound
            change(&status)
            all.append(status)
        }
        for mode in [DeviceMode.user, .system, .simulated] { vary { $0.mode = mode } }
        for biometry in [BiometryKind.none, .touchID, .faceID] {
            for hindrance in SensorHindrance.allCases {
                vary { ($0.biometry, $0.sensor.hindrance) = (biometry, hindrance) }
            }
            vary { ($0.biometry, $0.isEnrolled) = (biometry, false) }
        }
        vary { $0.isBiometryLocked = true }
        vary { $0.biometryLevel = .convenience }
        vary { $0.sensor.tellsEnrolments = false }
        vary { $0.sensor.tellsFingers.toggle() }
        vary { $0.sensor.name = "" }
        for custodian in [Custodian.tpm, .software] {
            for hasCode in [true, false] { vary { ($0.custodian, $0.hasRecoveryCode) = (custodian, hasCode) } }
        }
        for enclave in [Custodian.tpm, .software, nil] { vary { $0.enclave = enclave } }
        for (isSet, source, wasGiven) in [
            (false, PasscodeSource.own, false), (true, .own, true), (true, .own, false), (true, .account, true),
            (true, .account, false),
        ] {
            vary {
                ($0.passcodeIsSet, $0.passcodeSource, $0.passcodeWasGiven, $0.hasRecoveryCode) = (isSet, source, wasGiven, false)
            }
        }
        vary { $0.quarantined = 2 }
        vary { $0.usage = StoreUsage(items: 90_000, bytes: 0) }
        return all
    }()

    @Test("Read as a list: each link says in a sentence what it means, and mends itself by a command that there is")
    func words() {
        let readers = [
            nil, USBReader(id: "27c6:538d", support: .driver("goodixmoc")), USBReader(id: "27c6:533c", support: .unsupported),
        ]
        let ways = [
            PromptWay.agent, .startedAgent, .window, .terminal, .notInstalled,
            .withoutGroup("/usr/libexec/thumbturn/thumbturn-prompt"), .nowhere,
        ]
        var links: [ChainLink] = ways.flatMap { ChainLink.all(Self.sound, reader: nil, prompt: $0) }
        for status in Self.kinds { links += readers.flatMap { ChainLink.all(status, reader: $0, prompt: .terminal) } }
        #expect(Set(links.map(\.meaning)).count > 40)
        for link in links {
            let meaning = link.meaning
            #expect(meaning.first?.isUppercase == true || meaning.first?.isNumber == true, "\(meaning)")
            #expect(meaning.hasSuffix(".") && !meaning.contains("..") && !link.finding.hasSuffix("."), "\(meaning)")
            for word in ["who forgets", "whoever", "who sets"] {
                #expect(!meaning.lowercased().contains(word), "\(meaning)")
            }
            guard let mend = link.mend, mend.hasPrefix("thumbturn ") else { continue }
            let words = mend.split(separator: " ").map(String.init)
            #expect(
                Thumbturn.program.overview.place(words) != nil || Thumbturn.program.overview.place(words.dropLast()) != nil,
                "\(mend)")
        }
    }
}
