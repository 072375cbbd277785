import LocalAuthentication

// An app that notices another enrolment, as such apps are written for Apple's systems: in Swift 5, with the state in `UserDefaults`.

extension LAContext {
    /// The enrolment at the last login.
    static var enrolmentAtLogin: Data? {
        get { UserDefaults.standard.data(forKey: "EnrolmentAtLogin") }
        set { UserDefaults.standard.set(newValue, forKey: "EnrolmentAtLogin") }
    }

    /// Whether another finger or face is enrolled than at the last login. The first call has nothing to compare with, and keeps what is.
    static func sawAnotherEnrolment() -> Bool {
        let context = LAContext()
        var problem: NSError?
        context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &problem)
        guard problem == nil, let present = context.evaluatedPolicyDomainState else { return false }
        guard let kept = enrolmentAtLogin else {
            enrolmentAtLogin = present
            return false
        }
        return present != kept
    }
}

/// Logs in by finger or face, unless another one is enrolled; then `password` is the app's own login.
func logIn(password: Bool, then done: @escaping (String) -> Void) {
    let context = LAContext()
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return done("no biometry") }
    guard !LAContext.sawAnotherEnrolment() else {
        guard password else { return done("another enrolment") }
        LAContext.enrolmentAtLogin = nil
        return done("logged in by password")
    }
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
    context.evaluatePolicy(policy, localizedReason: "Log in to your account") { success, error in
        if success { LAContext.enrolmentAtLogin = context.evaluatedPolicyDomainState }
        DispatchQueue.main.async {
            done(success ? "logged in" : "not logged in: \((error as? LAError)?.errorCode ?? 0)")
        }
    }
}

/// When the owner was last seen, as an app keeps it that asks again after a while.
func seeOwner(then done: @escaping (String) -> Void) {
    if UserDefaults.standard.object(forKey: "OwnerSeen") is Date { return done("seen before") }
    let context = LAContext()
    context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes") { success, _ in
        context.invalidate()
        DispatchQueue.main.async {
            if success { UserDefaults.standard.set(Date(), forKey: "OwnerSeen") }
            done(success ? "seen now" : "not seen")
        }
    }
}

/// The same of an app that ends in the very answer.
func seeAndEnd(then end: @escaping (String) -> Void) {
    if UserDefaults.standard.object(forKey: "OwnerSeen") is Date { return end("seen before") }
    LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes") { success, _ in
        if success { UserDefaults.standard.set(Date(), forKey: "OwnerSeen") }
        end(success ? "seen now" : "not seen")
    }
}
