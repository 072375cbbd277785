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
        opening.letsIn(first)
        let answers = [opening.ends(first), opening.ends(first)]
        #expect(answers == [true, false])
    }

    @Test("stays when the login went on, whatever becomes of others")
    func stands() {
        var opening = LoginOpening()
        for login in [first, second] {
            opening.begins(isOpen: login === second)
            opening.letsIn(login)
        }
        let hasGoneOn = opening.stands(first)
        var answers = [opening.ends(first), opening.ends(second)]
        opening.begins(isOpen: true)
        opening.letsIn(second)
        answers.append(opening.ends(second))
        #expect(hasGoneOn && answers == [false, false, false])
    }

    @Test("stays while somebody waits who may still go on")
    func waits() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letsIn(first)
        opening.begins(isOpen: true)
        opening.letsIn(second)
        let answers = [opening.ends(first), opening.ends(second)]
        #expect(answers == [false, true])
    }

    @Test("a login that was let in while another one's chip was at work, and went on, has it")
    func meanwhile() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.begins(isOpen: false)
        opening.letsIn(second)
        let hasGoneOn = opening.stands(second)
        opening.letsIn(first)
        let isShut = opening.ends(first)
        #expect(hasGoneOn && !isShut)
    }

    @Test("that was shut and is opened again isn't open for good")
    func again() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letsIn(first)
        let hasGoneOn = opening.stands(first)
        opening.begins(isOpen: false)
        opening.letsIn(second)
        let isShut = opening.ends(second)
        #expect(hasGoneOn && isShut)
    }

    @Test("nobody goes on who wasn't let in, nor twice")
    func stranger() {
        var opening = LoginOpening()
        opening.begins(isOpen: false)
        opening.letsIn(first)
        let answers = [opening.stands(second), opening.stands(first), opening.stands(first)]
        #expect(answers == [false, true, false])
    }
}
