/// docs/openapi.yaml, as it is served.
enum OpenAPI {
    static let bytes: [UInt8] = Array("openapi: 3.1.0\n".utf8)
}
