import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop

@testable import ThumbSensors

/// A sensor that is there, or not.
@OnLoop private final class Sensor: @OnLoop Biometry {
    var kind: BiometryKind
    init(_ kind: BiometryKind) { self.kind = kind }

    var enrolment: Enrolment { .empty }
    func condition(for caller: Caller) -> BiometryCondition { .ready }
    func listen(_ report: @escaping (BiometryReport) -> Void) {}
    func stop() {}
}

@Suite("Which sensor counts") @OnLoop struct ChoiceTests {
    @Test("A reader that is there, and the camera only where none is")
    func reader() {
        let (reader, face) = (Sensor(.touchID), Sensor(.faceID))
        var choice = SensorChoice(reader: reader, face: face)
        #expect(choice.sensor === reader)
        choice.settle()
        #expect(choice.sensor === reader)

        var without = SensorChoice(reader: Sensor(.none), face: face)
        without.settle()
        #expect(without.sensor === face)
    }

    @Test("What was chosen stays chosen: a reader that is plugged in later takes nothing over, and one that goes leaves nothing")
    func kept() {
        let (reader, face) = (Sensor(.none), Sensor(.faceID))
        var choice = SensorChoice(reader: reader, face: face)
        choice.settle()
        reader.kind = .touchID
        choice.settle()
        #expect(choice.sensor === face)

        let leaving = Sensor(.touchID)
        var other = SensorChoice(reader: leaving, face: face)
        other.settle()
        leaving.kind = .none
        other.settle()
        #expect(other.sensor === leaving)
    }

    @Test("One alone is the one; with none at all nothing is ready, and a watch fails at once")
    func alone() {
        let (reader, face) = (Sensor(.none), Sensor(.faceID))
        var choice = SensorChoice(reader: reader, face: nil)
        choice.settle()
        // Found when it is plugged in.
        #expect(choice.sensor === reader)
        #expect(SensorChoice(reader: nil, face: face).sensor === face)

        let app = Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app"])
        let none = SensorChoice(reader: nil, face: nil).sensor
        #expect(none.kind == .none && none.condition(for: app) == .notAvailable)
        var reports: [BiometryReport] = []
        none.listen { reports.append($0) }
        #expect(reports == [.failed])
    }

    @Test("A camera isn't available while the machine sleeps or the lid is closed, and each change is told")
    func away() {
        let machine = ToldMachine()
        let surroundings = Surroundings(nil, Sensor(.faceID), machine)
        var changes = 0
        surroundings.onChange = { changes += 1 }
        let app = Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app"])
        #expect(surroundings.kind == .faceID && surroundings.condition(for: app) == .ready)
        machine.onLid(true)
        #expect(surroundings.condition(for: app) == .notAvailable)
        machine.onSleep(true, {})
        machine.onLid(false)
        #expect(surroundings.condition(for: app) == .notAvailable)
        machine.onSleep(false, {})
        #expect(surroundings.condition(for: app) == .ready && changes == 4)
    }
}
