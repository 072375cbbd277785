import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbProtectedPrograms
import ThumbSystem

/// Why a machine's mode isn't switched.
enum SystemModeFailure: Error, Sendable {
    /// The command that needs root.
    case notRoot(String)
    case noSystemd
    case noUnits
    case noPrompt
    case protection(ProtectionFailure)
    case markerNotWritten, markerNotRemoved
    case noSystemctl
    case notEnabled, notStarted, notStopped
}

/// A machine whose mode can be switched: this one, or one in a folder that isn't running.
///
/// The marker decides. Programs look for it, and every unit of system mode has it as its condition. So the units' files say which units
/// matter, and no list has to be maintained here.
struct ModeSwitch {
    static let marker = "/etc/thumbturn/system-mode"
    private static let socket = "/run/thumbturn/socket"
    /// What somebody reads who opens the marker.
    private static let remark =
        "# If this file exists, programs ask the system service and nothing else. See thumbturn-system-mode(1).\n"

    /// The prefix of its paths; empty for this machine.
    let root: String
    /// Whether it is a system in a folder.
    let isElsewhere: Bool
    private let machine: Machine

    init(root: String?) throws(Failure) {
        isElsewhere = root != nil
        do throws(ProtectionFailure) { machine = try Machine(root: root, run: Tool.run) } catch { throw .protection(error) }
        var path = root ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        self.root = path
    }

    // MARK: Looking

    var isOn: Bool { unsafe access(root + Self.marker, F_OK) == 0 }

    var isListening: Bool { unsafe access(Self.socket, F_OK) == 0 }

    private var isSystemdRunning: Bool { unsafe access("/run/systemd/system", F_OK) == 0 }

    // MARK: Switching

    func switchOn() throws(SystemModeFailure) {
        guard isElsewhere || isSystemdRunning else { throw .noSystemd }
        let units = SystemUnits(below: root)
        guard !units.enabled.isEmpty else { throw .noUnits }
        try protectOwn()
        let wasOn = isOn
        try writeMarker()
        do throws(SystemModeFailure) {
            try tell(["enable"] + units.enabled, or: .notEnabled)
            if !isElsewhere { try tell(["start"] + units.sockets, or: .notStarted) }
        } catch {
            // Programs must not be bound to a service that never came.
            if !wasOn { try removeMarker() }
            throw error
        }
    }

    func switchOff() throws(SystemModeFailure) {
        let units = SystemUnits(below: root)
        if !isElsewhere, isSystemdRunning, !units.all.isEmpty { try tell(["stop"] + units.all, or: .notStopped) }
        try removeMarker()
        if isElsewhere || isSystemdRunning, !units.enabled.isEmpty { try tell(["disable"] + units.enabled, or: .notEnabled) }
        try undoOwn()
    }

    /// Makes systemd do something with units. In a folder it only uses their files.
    private func tell(_ words: [String], or failure: SystemModeFailure) throws(SystemModeFailure) {
        let place = isElsewhere ? ["--root=" + (root.isEmpty ? "/" : root)] : []
        // systemctl would print what it links, which doesn't interest anybody here.
        guard let status = Tool.run("/usr/bin/systemctl", ["systemctl", "--quiet"] + place + words) else { throw .noSystemctl }
        guard status == 0 else { throw failure }
    }

    // MARK: Our own programs

    /// The window isn't installed everywhere, but the terminal's prompt is.
    private func protectOwn() throws(SystemModeFailure) {
        for (name, program) in ProtectedProgram.ownPrograms.sorted(by: { $0.key < $1.key }) {
            guard let path = Installed.places(of: program).first(where: { unsafe access(root + $0, F_OK) == 0 }) else {
                if name == "prompt" { throw .noPrompt }
                continue
            }
            do throws(ProtectionFailure) {
                // If there are two installations, the one that is switched on shows the prompts.
                for other in try Protecting.list(on: machine) where other.program.name == name && other.program.path.text != path
                {
                    _ = try Protecting.undo(other.program.path.text, on: machine)
                }
                _ = try Protecting.protect(path, named: name, on: machine, ownPlaces: Installed.places)
            } catch {
                throw .protection(error)
            }
        }
    }

    private func undoOwn() throws(SystemModeFailure) {
        do throws(ProtectionFailure) {
            for (program, _) in try Protecting.list(on: machine) where program.isOwn {
                _ = try Protecting.undo(program.path.text, on: machine)
            }
        } catch {
            throw .protection(error)
        }
    }

    // MARK: The marker

    private func writeMarker() throws(SystemModeFailure) {
        do throws(ReplacedFile.Setback) {
            // Everybody may read it.
            try ReplacedFile.put(Self.remark, at: root + Self.marker, mode: 0o644)
        } catch {
            throw .markerNotWritten
        }
    }

    private func removeMarker() throws(SystemModeFailure) {
        guard unsafe unlink(root + Self.marker) == 0 || thumb_errno() == ENOENT else { throw .markerNotRemoved }
    }
}
