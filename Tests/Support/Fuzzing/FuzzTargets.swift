/// Every parser that reads bytes from somebody else.
public enum FuzzTargets {
    public static let all: [FuzzTarget] = [
        AppFrames.target, PromptFrames.target, LoginFrames.target, PolkitFrames.target, HelperFrames.target,
        FrontFrames.target, TPMFrames.target, PolkitLineTarget.target,
        ReaderFrames.target, StreamTarget.target, KeybagTarget.target, RecoveryCodeTarget.target, RowTarget.target,
        BackupTarget.target, SSHAgentTarget.target, KnownHostsTarget.target, SignatureTarget.target, KeyTarget.target,
        PEMTarget.target, CertificateTarget.target, JSONTarget.target, HTTPTarget.target, StatementTarget.target,
        OriginTarget.target, AnswerTarget.target, BusTarget.target, TypedTarget.target, SandboxTarget.target, ELFTarget.target,
        MachineFileTarget.target, FaceModelTarget.target, KeeperLedgerTarget.target, TPMFormTarget.target, TextTarget.target,
        CommandLineTarget.target, SettingTarget.target, CompanionTarget.target,
        GitTarget.target, ToolTarget.target, AgeTarget.target, KeptFormTarget.target, InterpreterTarget.target,
    ]

    /// The parser of that name.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
