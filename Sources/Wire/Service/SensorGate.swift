import ThumbAuthentication
import ThumbLoop

/// Stands before the sensor: after each prompt it rests, so that a touch that was meant for one question answers no other.
@OnLoop final class SensorGate {
    private let biometry: any Biometry
    private let clock: any HouseClock
    private var restsUntil = -Double.infinity
    /// Counts what was begun: what an earlier one waited for is nobody's.
    private var watch = 0

    init(_ biometry: any Biometry, _ clock: any HouseClock) {
        self.biometry = biometry
        self.clock = clock
    }

    /// Listens as soon as the sensor has rested.
    func listen(_ report: @escaping (BiometryReport) -> Void) {
        watch += 1
        let (mine, wait) = (watch, restsUntil - clock.now)
        guard wait > 0 else { return biometry.listen(report) }
        clock.after(wait) { [weak self] in
            guard let self, self.watch == mine else { return }
            self.biometry.listen(report)
        }
    }

    func stop() {
        watch += 1
        biometry.stop()
    }

    /// Something was shown, and is gone: what is touched just now may have been touched for that.
    func rest() { restsUntil = clock.now + biometry.rest }
}
