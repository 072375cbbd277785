import ThumbAccess
import ThumbAuthentication
import ThumbLoop

/// Which of a machine's sensors counts: the reader of fingers, or where there is none, the camera.
@OnLoop struct SensorChoice {
    private let reader: (any Biometry)?
    private let face: (any Biometry)?
    /// Kept once it is known whether there is a reader: what was shown to one sensor is nothing to another.
    private var settled: (any Biometry)?
    private let none = NoSensor()

    init(reader: (any Biometry)?, face: (any Biometry)?) {
        self.reader = reader
        self.face = face
    }

    /// The one that counts. Until it is known whether there is a reader, that is the reader, which then says that it isn't known.
    var sensor: any Biometry { settled ?? reader ?? face ?? none }

    /// Chooses, now that the reader has been asked. A reader alone isn't chosen: one that is plugged in later is found later.
    mutating func settle() {
        guard settled == nil, let reader, let face else { return }
        settled = reader.kind == .none ? face : reader
    }
}
