import ThumbAuthentication
import ThumbLoop

/// Stands before the sensor. It lets the sensor rest after each prompt, so that a touch that was meant for one question can't answer
/// another.
@OnLoop final class SensorGate {
    private let biometry: any Biometry
    private let clock: any HouseClock
    private var restsUntil = -Double.infinity
    /// Counts the starts and stops, so that a start that waited in vain can tell that it is outdated.
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

    /// A prompt has left the screen. A touch that comes now may have been meant for it.
    func rest() { restsUntil = clock.now + biometry.rest }
}
