import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbHelpers
import ThumbLoop

/// A camera's helper and its models, as a test has them.
@OnLoop private final class Camera {
    /// What the helper says to each look; the last one again and again.
    var verdicts: [AccountVerdict]
    /// How many seconds the helper's module wants to pass before a verdict is told.
    var delay = 0.0
    /// What the models are at each reading; the last one again and again.
    var models: [FaceModels]
    private(set) var looks = 0
    private(set) var log: [String] = []
    private var helpers: [Int32] = []
    private(set) lazy var sensor = FaceSensor(
        uid: 1000, isThere: { true }, connect: { [unowned self] in look() }, models: { [unowned self] in read($0) },
        log: { [unowned self] in log.append($0) })

    init(_ models: FaceModels..., says verdicts: AccountVerdict...) {
        self.models = models
        self.verdicts = verdicts
    }

    private func look() -> Int32? {
        looks += 1
        guard case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
        let encoded = HelperVerdict(verdicts.count > 1 ? verdicts.removeFirst() : verdicts[0], delay: delay).frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        _ = frame.send(to: theirs, waiting: false)
        // It stays until the end, because its question is still to come.
        helpers.append(theirs)
        return mine
    }

    private func read(_ answer: @escaping (FaceModels) -> Void) {
        let (found, reply) = (models.count > 1 ? models.removeFirst() : models[0], LoopBox(answer))
        EventLoop.shared.post { reply.value(found) }
    }

    /// The first report of a watch.
    func listen() async -> BiometryReport {
        let report = await withCheckedContinuation { (done: CheckedContinuation<BiometryReport, Never>) in
            sensor.listen { [unowned self] report in
                sensor.stop()
                done.resume(returning: report)
            }
        }
        endHelpers()
        return report
    }

    private func endHelpers() {
        for helper in helpers { UnixSocket.close(helper) }
        helpers = []
    }

    /// The first report of a watch, and after how many seconds it came; nil if none has come after a minute.
    func listenForAMinute() async -> (report: BiometryReport, seconds: Double)? {
        let began = EventLoop.now
        let report = await withCheckedContinuation { (done: CheckedContinuation<BiometryReport?, Never>) in
            let end = EventLoop.shared.after(60) { [unowned self] in
                sensor.stop()
                done.resume(returning: nil)
            }
            sensor.listen { [unowned self] report in
                end.cancel()
                sensor.stop()
                done.resume(returning: report)
            }
        }
        let seconds = EventLoop.now - began
        endHelpers()
        guard let report else { return nil }
        return (report, seconds)
    }

    func prepare() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            sensor.prepare(isCasual: true) { done.resume() }
        }
    }
}

@Suite("A camera and its models", .timeLimit(.minutes(10))) @OnLoop struct FaceSensorTests {
    private static let one = FaceModels(enrolment: .known([1]), stamp: [1])
    private static let caller = Caller(uid: 1000, pid: 0, kind: .consented, name: "tests", groups: [])

    @Test("a face matches under the enrolment that was there before and after")
    func match() async {
        let camera = Camera(Self.one, says: .right)
        #expect(await camera.listen() == .match(.known([1])))
        #expect(camera.sensor.enrolment == .known([1]) && camera.looks == 1)
    }

    @Test("a verdict is told when its module wants that, and after ten seconds in any case", arguments: [0.3, 3600])
    func delay(_ seconds: Double) async throws {
        let camera = Camera(Self.one, says: .right)
        camera.delay = seconds
        let heard = await camera.listenForAMinute()
        let (report, waited) = try #require(heard)
        #expect(report == .match(.known([1])))
        #expect(waited >= min(seconds, 10))
    }

    @Test("a camera whose models nobody named matches, and its enrolment is unknown")
    func unnamed() async {
        let camera = Camera(.unnamed, says: .right)
        #expect(await camera.listen() == .match(.unknown))
        #expect(!camera.sensor.facts.tellsEnrolments && camera.sensor.facts.hindrance == nil)
    }

    @Test(
        "a match counts for nothing if the models changed, were written, went or couldn't be read meanwhile",
        arguments: [
            FaceModels(enrolment: .known([2]), stamp: [1]), FaceModels(enrolment: .known([1]), stamp: [2]),
            FaceModels(enrolment: .empty, stamp: [1]), .refused(.modelsChanging), .unnamed,
        ])
    func changed(_ after: FaceModels) async {
        let camera = Camera(Self.one, after, says: .right)
        #expect(await camera.listen() == .failed)
        #expect(camera.looks == 1 && camera.log.count == 1)
        // What it found out counts from then on.
        #expect(camera.sensor.enrolment == after.enrolment)
        let back = Camera(after, Self.one, says: .right)
        #expect(await back.listen() == .failed)
    }

    @Test("a change between a miss and the match counts too")
    func betweenTries() async {
        let camera = Camera(Self.one, FaceModels(enrolment: .known([2]), stamp: [2]), says: .wrong, .right)
        let reports = await withCheckedContinuation { (done: CheckedContinuation<[BiometryReport], Never>) in
            var reports: [BiometryReport] = []
            camera.sensor.listen { report in
                reports.append(report)
                if reports.count == 2 { done.resume(returning: reports) }
            }
        }
        #expect(reports == [.miss, .failed] && camera.looks == 2)
    }

    @Test(
        "where nobody is enrolled, and where somebody else could have taught the module a face, nobody looks",
        arguments: [FaceModels(enrolment: .empty), .refused(.modelsForeign), .refused(.modelsWritable), .refused(.modelsLink)])
    func refused(_ models: FaceModels) async {
        let camera = Camera(models, says: .right)
        await camera.prepare()
        let isEmpty = models.enrolment == .empty
        #expect(camera.sensor.condition(for: Self.caller) == (isEmpty ? .notEnrolled : .notAvailable))
        #expect(camera.sensor.facts.hindrance == models.problem)
        #expect(await camera.listen() == .failed)
        #expect(camera.looks == 0)
    }

    @Test("models that are only unreadable leave the camera as it is without them: it counts, and its enrolment is unknown")
    func unreadable() async {
        for problem in SensorHindrance.allCases where problem.isAboutModels && !problem.distrustsModels {
            let camera = Camera(.refused(problem), says: .right)
            await camera.prepare()
            #expect(camera.sensor.condition(for: Self.caller) == .ready && camera.sensor.facts.hindrance == problem)
            #expect(camera.sensor.enrolment == .unknown && !camera.sensor.facts.tellsEnrolments)
            #expect(await camera.listen() == .match(.unknown))
        }
    }

    @Test("each question has the models read again, also a casual one; those that come meanwhile wait for the next reading")
    func fresh() async {
        let two = FaceModels(enrolment: .known([2]))
        let camera = Camera(Self.one, two, says: .right)
        var answers: [Enrolment] = []
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            camera.sensor.prepare(isCasual: false) { answers.append(camera.sensor.enrolment) }
            camera.sensor.prepare(isCasual: true) {
                answers.append(camera.sensor.enrolment)
                done.resume()
            }
        }
        #expect(answers == [.known([1]), .known([2])])
    }

    @Test("a camera says nothing of its own rest, so it has a second of it after each prompt, as every sensor has")
    func rests() {
        let camera = Camera(Self.one, says: .right)
        #expect(camera.sensor.rest == 1)
    }

    @Test("a watch that was stopped while its models were read looks at nobody, and reports nothing")
    func stopped() async {
        let camera = Camera(Self.one, says: .right)
        camera.sensor.listen { report in Issue.record("\(report)") }
        camera.sensor.stop()
        await camera.prepare()
        #expect(camera.looks == 0)
    }
}
