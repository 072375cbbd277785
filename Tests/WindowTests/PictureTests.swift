import Foundation
import Testing
import thumbturn_test_programs

@Suite("An app's window, from the app to the sensor", .serialized)
struct PictureTests {
    /// How a picture in docs/pictures was taken.
    struct Taking: Sendable, CustomTestStringConvertible {
        let name: String
        var language = "C.UTF-8"
        var isDark = false
        let reason: String
        /// What is waited for before the picture, after the sensor saw a stranger where there is one.
        var seesStranger = false
        /// What is typed and shown, with Caps Lock on.
        var reveals: String?
        let shows: String

        var testDescription: String { name }
    }

    /// Where the program lies that asks: for the pictures of the pages in a folder that a program would lie in, which takes root.
    private static let folder = ProcessInfo.processInfo.environment["THUMBTURN_PICTURE_FOLDER"]

    private static let takings = [
        Taking(
            name: "window", reason: "Open your photos", shows: "Touch the fingerprint reader, or type the passcode."),
        Taking(
            name: "window-dark", isDark: true, reason: "Open your photos", seesStranger: true,
            shows: "Not recognized. Tries left: 2."),
        Taking(
            name: "window-japanese", language: "ja_JP.UTF-8", reason: "写真を表示します",
            shows: "指紋センサーに触れるか、パスコードを入力してください。"),
        Taking(
            name: "window-german", language: "de_DE.UTF-8", reason: "Ihre Fotos öffnen", seesStranger: true,
            shows: "Nicht erkannt. Verbleibende Versuche: 2."),
        Taking(
            name: "window-french", language: "fr_FR.UTF-8", reason: "Ouvrir vos photos",
            shows: "Touchez le lecteur d’empreintes ou saisissez le code."),
        Taking(
            name: "window-spanish", language: "es_ES.UTF-8", reason: "Abrir sus fotos",
            shows: "Toque el lector de huellas o introduzca el código."),
        Taking(
            name: "window-chinese", language: "zh_CN.UTF-8", reason: "打开您的照片", shows: "请触摸指纹传感器，或输入密码。"),
        Taking(
            name: "window-revealed", reason: "Open your photos", reveals: "RAIN AND THUNDER", shows: "Caps Lock is on."),
    ]

    @Test("the daemon names the program, the app says why, and a finger answers", arguments: takings)
    func picture(taking: Taking) async throws {
        let (parts, answer) = try await onThread {
            let stage = try Stage(isDark: taking.isDark)
            let program = (Self.folder ?? stage.folder) + "/photo-album"
            try copyProgram("thumbturn-test-client", to: program)
            defer { try? FileManager.default.removeItem(atPath: program) }  // Temporary, wherever it lies.
            let own = [
                "THUMBTURN_SOCKET": stage.socket, "THUMBTURN_LIBEXEC": builtPrograms.path, "THUMBTURN_PROMPT": "window",
                "LANG": taking.language,
            ]
            let reader = try Reader(on: stage.display)
            let app = try Running([program], stage.display.environment.merging(own) { $1 })
            app.say("evaluate " + (taking.reason.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
            let window = try stage.display.window()
            if taking.seesStranger {
                _ = try reader.wait(for: taking.reason)
                stage.see(owner: false)
            }
            if let typed = taking.reveals {
                _ = try reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
                try stage.display.type(typed)
                try stage.display.press("Caps_Lock")
                try Stage.Shown.reveal(window, reader, on: stage.display)
            }
            let parts = try reader.wait(for: taking.shows)
            try stage.display.keep(taking.name, of: window)
            stage.see(owner: true)
            return (parts, try app.line())
        }
        #expect(parts.contains { $0.name.hasSuffix("/photo-album") } && parts.contains { $0.name == taking.reason })
        #expect(answer == "> success biometry")
    }
}
