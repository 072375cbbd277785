import ThumbAccess

extension PromptTexts {
    static let japanese = PromptTexts(
        asks: "が本人確認を求めています",
        ownWords: "プログラムからの説明:",
        ourWords: "許可する内容:",
        signIn: { purpose, origin in
            switch purpose {
            case .signIn: "サインイン先: \(origin)"
            case .register: "この端末の登録先: \(origin)"
            case .changePassword: "パスワードの変更先: \(origin)"
            case .removePassword: "パスワードの削除先: \(origin)"
            case .endSessions: "セッションの終了先: \(origin)"
            case .revokeDevice: "端末の登録解除先: \(origin)"
            case .deleteAccount: "アカウントの削除先: \(origin)"
            }
        },
        account: { "アカウント: \($0)" },
        cancel: "キャンセル",
        cancelKey: "キャンセル",
        accept: "OK",
        fallback: "パスワードを入力",
        failed: "確認できませんでした。",
        cancelled: "キャンセルしました。",
        takenBack: "要求は取り消されました。",
        hidden: { "正体を隠しているプログラム (プロセス \($0))" },
        place: {
            switch $0 {
            case .system: "システムがインストールしたプログラムです。"
            case .changeable: "ユーザーが変更できるフォルダにあります。"
            case .gone: "起動後にファイルが置き換えられたか、削除されました。"
            case .elsewhere: "別のフォルダ構成で動いています。この場所には別のファイルがあります。"
            case .unseen: "誰がファイルを変更できるか確認できません。"
            }
        },
        interpreter: "別のファイルの内容を実行しています。どのファイルかは確認できません。",
        claim: { "自称: 「\($0)」" },
        known: {
            switch $0 {
            case .consented: nil
            case .sandboxed: "サンドボックス内のプログラム"
            case .protected: "保護されたプログラム"
            }
        },
        knownInside: {
            switch $0 {
            case .consented: ""
            case .sandboxed: "（サンドボックス内）"
            case .protected: "（保護されたプログラム）"
            }
        },
        purpose: {
            switch $0 {
            case .evaluate: nil
            case .choosePasscode: "新しいパスコードを決めてください。"
            case .repeatPasscode: "新しいパスコードをもう一度入力してください。"
            case .accountPassword: nil
            }
        },
        sensor: {
            switch ($0, $1) {
            case (.touchID, true): "指紋センサーに触れるか、パスコードを入力してください。"
            case (.touchID, false): "指紋センサーに触れてください。"
            case (.faceID, true): "カメラを見るか、パスコードを入力してください。"
            case (.faceID, false): "カメラを見てください。"
            case (.none, true): nil
            case (.none, false): "下のボタンから選んでください。"
            }
        },
        notice: {
            switch $0 {
            case .missed(let left) where left > 0: "認識できませんでした。残り\(left)回です。"
            case .missed: "認識できませんでした。"
            case .retry(.again): "読み取れませんでした。もう一度お試しください。"
            case .retry(.tooShort): "短すぎます。指をもう少し長く当ててください。"
            case .retry(.centre): "指をセンサーの中央に当ててください。"
            case .retry(.liftAndRepeat): "指を離して、もう一度触れてください。"
            case .wrongPasscode: "パスコードが違います。"
            case .passcodeUnchecked: "パスコードを確認できませんでした。もう一度お試しください。"
            case .passcodeWaits: "間違いが続いたため、TPMがしばらくパスコードを受け付けません。後でもう一度お試しください。"
            case .biometryLocked: "失敗が続きました。パスコードを入力してください。"
            case .passcodesDiffer: "一致しませんでした。最初からやり直してください。"
            case .passcodeTooShort(let least): "\(least)〜\(PasscodeLimit.most)バイトにしてください（半角の英数字は1文字1バイト）。"
            case .question(let question): "アカウントからの質問:「\(SafeText(question.text, limit: 200))」"
            case .accountPasswordChanged:
                "アカウントのパスワードが変更されています。今回だけ以前のパスワードを入力してください。不明な場合: thumbturn passcode recover"
            case .accountPasswordExpired: "アカウントのパスワードの期限が切れています。変更してから、もう一度お試しください。"
            case .accountLocked: "アカウントがロックされています。"
            }
        },
        answer: "回答:",
        field: {
            switch $0 {
            case .accountPassword: "アカウントのパスワード:"
            case .evaluate: "パスコード:"
            case .choosePasscode: "新しいパスコード:"
            case .repeatPasscode: "もう一度:"
            }
        },
        wait: { "次のパスコードを確認できるまであと\($0)秒です。" },
        picture: {
            switch $0 {
            case .touchID: "指紋センサー"
            case .faceID: "カメラ"
            case .none: "パスコード"
            }
        },
        dismiss: "このプログラムを1分間拒否",
        dismissKey: "このプログラムを1分間拒否",
        others: { "ほかに\($0)個のプログラムが待っています。" },
        before: { "先に\($0)個のプログラムが確認中です。" },
        asksFrom: { "別のマシンでの確認です: \($0)" },
        mayAnswer: { "別のマシンでも答えられます: \($0)" })
}
