import LocalAuthentication
import Testing

@testable import Thumbturn

private let codes = [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -1004]
private let languages = ["en", "ja"]
private let everySensor: [Sensor?] = [.touchID, .faceID, .opticID, nil]

@Suite("Texts")
struct TextsTests {
    func texts(_ language: String, _ naming: Texts.Naming = .plain) -> Texts {
        Texts(Locale(identifier: language), naming: naming)
    }

    @Test("Every error has words of its own, for every sensor and none", arguments: languages, everySensor)
    func everyError(language: String, sensor: Sensor?) throws {
        for naming in [Texts.Naming.plain, .product] {
            let texts = texts(language, naming)
            for number in codes {
                let error = LAError(try #require(LAError.Code(rawValue: number)))
                let text = texts.text(error, sensor)
                #expect(!text.isEmpty && text != texts.language.unknown, "\(number)")
            }
        }
    }

    @Test("No sentence names another sensor than the device's", arguments: languages)
    func rightSensor(language: String) {
        let texts = texts(language, .product)
        let names: [Sensor: String] = [.touchID: "Touch ID", .faceID: "Face ID", .opticID: "Optic ID"]
        for sensor in Sensor.allCases {
            for sentence in texts.words(sensor).all {
                for (other, name) in names { #expect(sentence.contains(name) == (other == sensor), "\(sentence)") }
            }
        }
        for sentence in texts.language.noSensor.all + Array(texts.language.errors.values) + [texts.language.reason] {
            for name in names.values { #expect(!sentence.contains(name)) }
        }
    }

    @Test("Plain names are never products'", arguments: languages, everySensor)
    func plain(language: String, sensor: Sensor?) {
        for sentence in texts(language).words(sensor).all { #expect(!sentence.contains(" ID")) }
    }

    @Test("Plain sentences don't mix the parts of a person up")
    func parts() {
        let english: [Sensor: [String]] = [.touchID: ["inger"], .faceID: ["ace"], .opticID: ["iris", "Iris", "eyes"]]
        let japanese: [Sensor: [String]] = [.touchID: ["指紋"], .faceID: ["顔"], .opticID: ["虹彩"]]
        for (language, words) in [("en", english), ("ja", japanese)] {
            for sensor in Sensor.allCases {
                for sentence in texts(language).words(sensor).all {
                    for (other, marks) in words where other != sensor {
                        #expect(!marks.contains { sentence.contains($0) }, "\(sentence)")
                    }
                }
            }
        }
    }

    @Test("Japanese says everything in Japanese")
    func japanese() {
        let language = texts("ja").language
        let all =
            language.noSensor.all + language.plain.values.flatMap(\.all) + language.errors.values
            + [language.reason, language.alreadyInProgress, language.unknown]
        let kana = Unicode.Scalar(0x3040 as UInt16)!...Unicode.Scalar(0x30FF as UInt16)!
        for sentence in all where !["指紋認証", "顔認証", "虹彩認証"].contains(sentence) {
            #expect(sentence.unicodeScalars.contains { kana.contains($0) }, "\(sentence)")
        }
        #expect(all.allSatisfy { !$0.isEmpty })
        #expect(Set(language.errors.keys) == Set(LanguageTexts.english.errors.keys))
    }

    @Test("Every support has words, and a button to begin with", arguments: languages)
    func everySupport(language: String) {
        let texts = texts(language)
        let face: [BiometrySupport] = [
            .available(.faceID), .notEnrolled(.faceID), .lockedOut(.faceID), .denied(.faceID), .disconnected(.faceID),
            .passcodeNotSet(.faceID),
        ]
        let all = face + [.absent, .unknown]
        #expect(Set(all.map { texts.text($0) }).count == all.count)
        #expect(Set(face.map { texts.loginTitle($0) }).count == 1)
        #expect(texts.loginTitle(.absent) == texts.loginTitle(.unknown))
    }

    @Test("Success and the person's own cancel need no words, everything else has some")
    func results() {
        let texts = texts("en")
        #expect(texts.text(.success, .touchID) == nil)
        #expect(texts.text(.cancelled(by: .user), .touchID) == nil)
        #expect(texts.text(.cancelled(by: .app), .touchID) == nil)
        #expect(texts.text(.cancelled(by: .system), .touchID) == "The system interrupted this. Try again.")
        #expect(texts.text(.fallbackChosen, .touchID) == "Log in with your password.")
        #expect(texts.text(.failed(LAError(.authenticationFailed)), .faceID) == "The face wasn't recognized.")
        #expect(texts.text(.unavailable(LAError(.passcodeNotSet)), nil) == "No passcode is set. Set one in the settings.")
        #expect(texts.text(.alreadyInProgress, nil) == "You are being asked already.")
        #expect(texts.text(.enrolmentChanged, .faceID) == "The enrolled faces may have changed. Log in with your password.")
    }

    @Test("An error of another kind counts as failed")
    func foreignError() {
        #expect(AuthenticationResult(CancellationError()) == .failed(LAError(.authenticationFailed)))
        #expect(AuthenticationResult(LAError(.invalidContext)) == .cancelled(by: .app))
        #expect(AuthenticationResult(LAError(.notInteractive)) == .unavailable(LAError(.notInteractive)))
        #expect(AuthenticationResult(LAError(.invalidDimensions)) == .failed(LAError(.invalidDimensions)))
        let plain = NSError(domain: LAErrorDomain, code: LAError.userCancel.rawValue)
        #expect(AuthenticationResult(plain) == .cancelled(by: .user), "a replaced context may say it in Foundation's words")
    }

    @Test("Results are equal by their codes, whatever the errors carry")
    func equality() {
        let worded = LAError(.biometryLockout, userInfo: [NSLocalizedDescriptionKey: "five misses"])
        #expect(AuthenticationResult.unavailable(worded) == .unavailable(LAError(.biometryLockout)))
        #expect(AuthenticationResult.unavailable(worded) != .failed(worded))
        #expect(AuthenticationResult.unavailable(worded) != .unavailable(LAError(.biometryNotEnrolled)))
        #expect(AuthenticationResult.cancelled(by: .user) != .cancelled(by: .app))
        #expect(AuthenticationResult.enrolmentChanged != .success && AuthenticationResult.fallbackChosen == .fallbackChosen)
    }

    @Test(
        "The environment's locale is read as setlocale(3) reads it",
        arguments: [
            (["LANG": "ja_JP.UTF-8"], "ja"), (["LANG": "ja_JP.UTF-8", "LC_ALL": "de_DE"], "de"),
            (["LC_MESSAGES": "ja", "LANG": "en_GB"], "ja"), (["LC_ALL": "", "LANG": "ja_JP@x"], "ja"),
            (["LANG": "C.UTF-8"], "en"),
            (["LANG": "POSIX"], "en"), ([:], "en"),
        ])
    func locale(environment: [String: String], language: String) {
        #expect(Texts.locale(in: environment).language.languageCode?.identifier == language)
    }

    @Test("Every kind of sensor is known, and none isn't one")
    func sensors() {
        #expect(Sensor(.touchID) == .touchID && Sensor(.faceID) == .faceID && Sensor(.opticID) == .opticID)
        #expect(Sensor(LABiometryType.none) == nil)
    }
}
