import Testing
import ThumbSecretService

@Suite("Paths of the Secret Service")
struct PathTests {
    @Test(
        "a path means one object, and says the same again",
        arguments: [
            "/org/freedesktop/secrets", "/org/freedesktop/secrets/collection/login",
            "/org/freedesktop/secrets/collection/login/12",
            "/org/freedesktop/secrets/collection/login/confirm", "/org/freedesktop/secrets/collection/login/012",
            "/org/freedesktop/secrets/collection/login/0", "/org/freedesktop/secrets/collection/login/99999999999999999999",
            "/org/freedesktop/secrets/aliases/default", "/org/freedesktop/secrets/aliases/default/3",
            "/org/freedesktop/secrets/session/1", "/org/freedesktop/secrets/prompt/18",
        ])
    func roundTrip(path: String) { #expect(SecretPath(path)?.text == path) }

    @Test(
        "what is no object's path means nothing",
        arguments: [
            "", "/", "/org/freedesktop", "/org/freedesktop/secretsx", "/org/freedesktop/secrets/",
            "/org/freedesktop/secrets/collection",
            "/org/freedesktop/secrets/collection/", "/org/freedesktop/secrets/collection/log-in",
            "/org/freedesktop/secrets/collection/login/", "/org/freedesktop/secrets/collection/login/a-b",
            "/org/freedesktop/secrets/collection/login/1/2", "/org/freedesktop/secrets/session/-1",
            "/org/freedesktop/secrets/session/01",
        ])
    func nothing(path: String) { #expect(SecretPath(path) == nil) }
}
