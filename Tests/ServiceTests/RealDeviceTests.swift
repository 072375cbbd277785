import Foundation
import Testing
import ThumbAssembly
import ThumbAuthentication
import ThumbHelpers
import ThumbLoop
import ThumbService
import thumbturn_test_daemon

/// A device as the daemon builds it, on a machine without a bus: where a scripted one has other parts.
@Suite("A real device's own parts") struct RealDeviceTests {
    private struct NotThere: Error {}

    @OnLoop private static func device(in folder: Scratch) throws -> Device {
        var place = ReaderPlace(user: nil, uid: getuid())
        place.bus = "unix:path=/nowhere/bus"
        return try Assembly.userDevice(state: folder.path, reader: place, tpm: .none) { _ in }
    }

    @Test("its seat knows when its session is locked, so that no touch counts for what lies behind a lock screen")
    func seat() throws {
        let folder = try Scratch()
        let locked = try EventLoop.shared.sync {
            Result<[Bool], any Error> {
                let device = try Self.device(in: folder)
                guard let seat = device.parts.seat as? LoginSeat else { throw NotThere() }
                var heard = [seat.isLocked()]
                device.lock()
                heard.append(seat.isLocked())
                device.unlock()
                heard.append(seat.isLocked())
                return heard
            }
        }.get()
        #expect(locked == [false, true, false])
    }

    @Test("its dates are in seconds since the beginning of 2001")
    func dates() throws {
        let folder = try Scratch()
        let date = try EventLoop.shared.sync {
            Result<Double, any Error> { try Self.device(in: folder).parts.clock.date }
        }.get()
        // Of what year they are is the question, so an hour either way is for a clock that is set meanwhile.
        #expect(abs(date - Date().timeIntervalSinceReferenceDate) < 3600)
    }
}
