import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// The owner's lasting decisions about programs: how the owner is asked, and whether there is a decision by now.
@OnLoop enum OwnersWord {
    /// A path within a sentence of ours. It is quoted because a folder's name may look like the rest of a sentence.
    private static func quoted(_ path: ExactName) -> String { SafeText.quoted(SafePath(path, limit: 80).description) }

    static func reason(_ wish: AppWish, of caller: Caller, _ first: ExactName) -> PromptWords {
        let claim = SafeText.quoted(caller.own.text, limit: 60)
        let before = first.hasPrefix("/") ? quoted(first) : "another program"
        return switch wish {
        case .folder(let folder):
            PromptWords(
                ours:
                    "let \(caller.program.quoted), which has changed, and whatever else lies in \(quoted(folder)) go on as \(claim)"
            )
        case .face, .group, .program, .keptItem:
            PromptWords(ours: "let \(caller.program.quoted) go on as \(claim), which has been \(before) so far")
        }
    }

    static func reason(_ group: ExactName, of maker: Groups.Maker, for caller: Caller) -> PromptWords {
        PromptWords(
            ours: "let \(caller.program.quoted) use what \(quoted(ExactName(maker.name))) keeps in the group "
                + SafeText.quoted(group.text, limit: 60))
    }

    /// The owner's decision on what the program claims to be, if there is one by now.
    static func onClaim(of app: App) -> Evaluation.Outcome? {
        switch try? app.device.keychain.ties.standing(of: app.caller, notes: false) {
        case .open?: .success([], nil)
        case .refused?: .failure(.userCancel)
        // A decision that can't be read counts as none, so the owner is asked.
        case .ask?, nil: nil
        }
    }

    /// The owner's decision on a group, if there is one by now.
    static func onGroup(_ group: ExactName, of app: App) -> Evaluation.Outcome? {
        switch try? app.device.consents.verdict(on: app.caller.own, .group(group)) {
        case .allowed?: .success([], nil)
        case .denied?: .failure(.userCancel)
        // A group is never merely noted.
        case .noted?, nil: nil
        }
    }
}

// `thumbturn apps`
extension App {
    /// Changes the owner's decision about an app's wish, after the owner's passcode.
    func judgeApp(_ asked: JudgeApp, _ call: RunningCall) async throws -> Done {
        // An unknown app is refused first, so that the owner isn't asked in vain.
        if asked.verdict != nil { _ = try known(asked) }
        try await call.askForPasscode(to: "change which \(thing(asked.wish))")
        if let verdict = asked.verdict {
            let known = try known(asked)
            try device.consents.keep(verdict, on: asked.app, asked.wish, named: known.name, known.kind)
        } else {
            try device.consents.forget(asked.app, asked.wish)
        }
        device.environmentMayHaveChanged()
        note(.appJudged, factors: [.passcode])
        return Done()
    }

    private func known(_ asked: JudgeApp) throws(KeychainFailure) -> KnownApp {
        let known = try device.consents.all().first { $0.app == asked.app && $0.wish == asked.wish }
        guard let known else { throw .itemNotFound }
        return known
    }

    private func thing(_ wish: AppWish) -> String {
        switch wish {
        case .face: "apps may use face recognition"
        case .group(let group): "apps may use the group ‘\(SafeText(group.text, limit: 60))’"
        case .program, .folder: "apps may use that bundle identifier"
        case .keptItem(let name): "programs may read \(ReaderWords.item(device.keychain.kept(named: name)))"
        }
    }
}
