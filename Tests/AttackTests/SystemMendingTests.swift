import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// What root does for a store of system mode.
@Suite("Mending a store of system mode", .enabled(if: getuid() == 0, "takes root"), .timeLimit(.minutes(5)))
struct SystemMendingTests {
    @Test("root mends a device's store behind systemd's door, and leaves no file there that the device's user doesn't own")
    func behindTheDoor() async throws {
        let (mended, strange, read) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let (owner, store) = (machine.eve, "/var/lib/thumbturn/\(machine.eve)")
            _ = try machine.speaker(owner).say("in - add bank first")
            machine.stop()
            // As systemd keeps the folder of a user that it made for a unit.
            try machine.inside(
                """
                mkdir -m 700 /var/lib/private && mkdir /var/lib/private/thumbturn && mv \(store) /var/lib/private/thumbturn/ &&
                ln -s ../private/thumbturn/\(owner) \(store) && chown -R 61184:61184 /var/lib/private/thumbturn/\(owner)
                """)
            let mended = try machine.attempt("\(machine.programs.path)/thumbturnd --tpm none --accept-losses --state \(store)")
            let strange = try machine.attempt("find /var/lib/private/thumbturn/\(owner) ! -user 61184 | grep .") == 0
            // A test's devices are root's.
            try machine.inside(
                "rm \(store) && mv /var/lib/private/thumbturn/\(owner) \(store) && chown -R 0:0 \(store)")
            try machine.serve()
            return (mended, strange, try machine.speaker(owner).say("read bank"))
        }
        #expect(mended == 0 && !strange && read == "secret first")
    }
}
