import LocalAuthentication

extension LanguageTexts {
    static let japanese = LanguageTexts(
        plain: [
            .touchID: plain("指紋認証", part: "指紋", device: "指紋センサー"),
            .faceID: plain("顔認証", part: "顔", device: "顔認証用カメラ"),
            .opticID: plain("虹彩認証", part: "虹彩", device: "虹彩認証用カメラ"),
        ],
        product: [
            .touchID: product("Touch ID"), .faceID: product("Face ID"), .opticID: product("Optic ID"),
        ],
        noSensor: SensorTexts(
            name: "パスコード",
            logIn: "パスコードでログイン",
            reason: "ご本人であることを確認します",
            available: "ログインできます。",
            notEnrolled: "生体情報が登録されていません。パスコードを使用してください。",
            lockedOut: "失敗が続いたためロックされています。パスコードを入力してください。",
            notAvailable: "このデバイスには使用できるセンサーがありません。パスコードを使用してください。",
            disconnected: "センサーが接続されていません。パスコードを使用してください。",
            passcodeNotSet: "パスコードが設定されていません。設定で設定してください。",
            notRecognized: "ご本人であることを確認できませんでした。",
            enrolmentChanged: "登録情報が変更されていないことを確認できません。パスワードでログインしてください。"),
        errors: [
            LAError.userCancel.rawValue: "キャンセルしました。",
            LAError.userFallback.rawValue: "パスワードでログインしてください。",
            LAError.systemCancel.rawValue: "システムにより中断されました。もう一度お試しください。",
            LAError.passcodeNotSet.rawValue: "パスコードが設定されていません。設定で設定してください。",
            LAError.appCancel.rawValue: "アプリが認証を取り消しました。",
            LAError.invalidContext.rawValue: "この認証は終了しています。もう一度お試しください。",
            LAError.companionNotAvailable.rawValue: "ペアリングしたデバイスが近くにありません。",
            LAError.invalidDimensions.rawValue: "ここには認証画面を表示できません。",
            LAError.notInteractive.rawValue: "現在、認証画面を表示できません。",
        ],
        reason: "ご本人であることを確認します",
        alreadyInProgress: "すでに認証中です。",
        unknown: "現在、認証できるか確認できません。もう一度お試しになるか、パスコードを使用してください。")

    private static func plain(_ name: String, part: String, device: String) -> SensorTexts {
        SensorTexts(
            name: name,
            logIn: "\(name)でログイン",
            reason: "\(name)でご本人であることを確認します",
            available: "\(name)でログインできます。",
            notEnrolled: "\(part)が登録されていません。設定で登録してください。",
            lockedOut: "失敗が続いたため\(name)はロックされています。再び使用するにはパスコードを入力してください。",
            notAvailable: "このアプリでは\(name)を使用できません。許可されているか設定で確認してください。",
            disconnected: "\(device)が接続されていません。",
            passcodeNotSet: "先にパスコードを設定してください。その後\(name)でログインできます。",
            notRecognized: "\(part)を認識できませんでした。",
            enrolmentChanged: "登録されている\(part)が変更された可能性があります。パスワードでログインしてください。")
    }

    private static func product(_ name: String) -> SensorTexts {
        SensorTexts(
            name: name,
            logIn: "\(name)でログイン",
            reason: "\(name)でご本人であることを確認します",
            available: "\(name)でログインできます。",
            notEnrolled: "\(name)が設定されていません。設定で登録してください。",
            lockedOut: "失敗が続いたため\(name)はロックされています。再び使用するにはパスコードを入力してください。",
            notAvailable: "このアプリでは\(name)を使用できません。許可されているか設定で確認してください。",
            disconnected: "\(name)のアクセサリが接続されていません。",
            passcodeNotSet: "先にパスコードを設定してください。その後\(name)でログインできます。",
            notRecognized: "\(name)で確認できませんでした。",
            enrolmentChanged: "\(name)の登録が変更された可能性があります。パスワードでログインしてください。")
    }
}
