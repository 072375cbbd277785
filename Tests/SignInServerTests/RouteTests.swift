import Testing

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

    private func length(_ text: String) -> Int? {
        var headers = Headers()
        "content-length".withCString { name in text.withCString { headers.take(name, $0) } }
        return headers.contentLength
    }
}
