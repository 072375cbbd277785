import thumbturn_test_login

extension LoginStage.Daemon {
    /// A stand in the daemon's place.
    static func service(_ stand: Stand) -> Self { .serves { fd in stand.onLoop { $0.service.serve(fd, as: .login) } } }
}
