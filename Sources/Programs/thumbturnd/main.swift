import CThumbLinux
import ThumbLoop

// The daemon: reads its arguments, hardens itself, builds the one device and serves it.

let arguments: Arguments
switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
case .success(let parsed): arguments = parsed
case .failure(let problem):
    Output.error("thumbturnd: \(problem.message)")
    exit(64)
}

switch arguments.action {
case .help: Output.line(Arguments.help)
case .version: Output.line("thumbturnd \(Version.string)")
case .launch: exit(Launcher.launch(arguments))
case .recover, .acceptLosses:
    Hardening.apply()
    exit(Mending.run(arguments))
case .serve:
    let manager = ServiceManager.taken()
    Hardening.apply()
    Serving.start(arguments, manager)
    // The loop's thread does everything; this one only lives as long as the process.
    while true { pause() }
}
