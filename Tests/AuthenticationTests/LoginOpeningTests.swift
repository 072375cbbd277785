import Testing

@testable import ThumbAuthentication

@Suite("What a finger opened at a login")
struct LoginOpeningTests {
    private final class Login {}
    private let first = Login()
    private let second = Login()

    @Test("is shut when the login ends without having gone on, and once only")
    func ends() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letIn(first)
        let answers = [opening.ends(first), opening.ends(first)]
        #expect(answers == [true, false])
    }

    @Test("stays when the login went on, whatever becomes of others")
    func stands() {
        var opening = LoginOpening()
        for login in [first, second] {
            opening.begins(isOpen: login === second)
            opening.letIn(login)
        }
        opening.stands(first)
        var answers = [opening.ends(first), opening.ends(second)]
        opening.begins(isOpen: true)
        opening.letIn(second)
        answers.append(opening.ends(second))
        #expect(answers == [false, false, false])
    }

    @Test("stays while somebody waits who may still go on")
    func waits() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letIn(first)
        opening.begins(isOpen: true)
        opening.letIn(second)
        let answers = [opening.ends(first), opening.ends(second)]
        #expect(answers == [false, true])
    }

    @Test("a login that was let in while another one's chip was at work, and went on, has it")
    func meanwhile() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.begins(isOpen: false)
        opening.letIn(second)
        opening.stands(second)
        opening.letIn(first)
        let isShut = opening.ends(first)
        #expect(!isShut)
    }

    @Test("that was shut and is opened again isn't open for good")
    func again() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letIn(first)
        opening.stands(first)
        opening.begins(isOpen: false)
        opening.letIn(second)
        let isShut = opening.ends(second)
        #expect(isShut)
    }

    @Test("nobody goes on who wasn't let in")
    func stranger() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letIn(first)
        opening.stands(second)
        let isShut = opening.ends(first)
        #expect(isShut)
    }
}
