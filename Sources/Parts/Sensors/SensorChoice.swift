import ThumbAccess
import ThumbAuthentication
import ThumbLoop

/// Which of a machine's sensors counts: the fingerprint reader or, if there is none, the camera.
@OnLoop struct SensorChoice {
    private let reader: (any Biometry)?
    private let face: (any Biometry)?
    /// Kept once it is known whether there is a reader, because what was shown to one sensor means nothing to the other.
    private var settled: (any Biometry)?
    private let none = NoSensor()

    init(reader: (any Biometry)?, face: (any Biometry)?) {
        self.reader = reader
        self.face = face
    }

    /// The sensor that counts. As long as nobody knows whether there is a reader, it is the reader, which then reports just that.
    var sensor: any Biometry { settled ?? reader ?? face ?? none }

    /// Chooses, now that the reader has been asked. Without a camera there is nothing to choose: a reader plugged in later is found later.
    mutating func settle() {
        guard settled == nil, let reader, let face else { return }
        settled = reader.kind == .none ? face : reader
    }
}
