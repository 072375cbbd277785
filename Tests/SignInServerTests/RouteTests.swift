import Testing
import ThumbSignIn

@testable import ThumbSignInServer

@Suite("Routes and headers, byte by byte")
struct RouteTests {
    @Test("A mark behind the last slash belongs to the device's name, and makes no other path of it")
    func marks() {
        let (route, device) = Route.found("/v1/devices/\u{301}abc")
        #expect(route == .device)
        #expect(device?.utf8.count == 5)
        #expect(Route.found("/v1/devices/abc").device == "abc")
        #expect(Route.found("/v1/devices/abc/revocation").0 == .revocation)
        for path in [
            "/v1/devices/", "/v1/devices//revocation", "/v1/devices/abc/revocation/", "/v1/devices/abc/\u{301}revocation",
        ] {
            #expect(Route.found(path).0 == .unknown, "\(path)")
        }
    }

    @Test(
        "A length is digits alone; whatever else stands there is longer than any body", arguments: ["", "-5", "+5", "5 ", "0x5"])
    func lengths(text: String) {
        #expect(length(text) == Int.max)
        #expect(length("16384") == 16384)
    }

    @Test(
        "What two readers could read in two ways stands in a head once, in whatever case; what proxies and traces add may come again",
        arguments: [
            ("Content-Length", false), ("Content-Type", false), ("Transfer-Encoding", false), ("Authorization", false),
            ("Host", false), ("X-Forwarded-For", true), ("traceparent", true), ("Accept", true),
        ])
    func twice(name: String, isTaken: Bool) {
        var headers = Headers()
        for spelling in [name, name.uppercased()] {
            spelling.withCString { name in "1".withCString { headers.take(name, $0) } }
        }
        let refusal: SignInRefusal?
        do throws(SignInRefusal) {
            _ = try headers.whole()
            refusal = nil
        } catch { refusal = error }
        #expect(refusal == (isTaken ? nil : SignInRefusal.malformed))
    }

    private func length(_ text: String) -> Int? {
        var headers = Headers()
        "content-length".withCString { name in text.withCString { headers.take(name, $0) } }
        return headers.contentLength
    }
}
