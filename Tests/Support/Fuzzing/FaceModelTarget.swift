import ThumbAccess

@testable import ThumbSensors

/// The administrator's file that says where a camera's module keeps faces.
enum FaceModelTarget {
    static let target = FuzzTarget(
        "face-models", longest: 400, sources: ["Sources/Parts/Sensors/Faces/FaceModelSettings.swift"],
        words: ["%u", "%U", "%%", "/etc/howdy/models/", "\r\n"], seeds: { seeds },
        parse: { input in
            let settings = try accepted { () throws(FaceModelFailure) in
                try FaceModelSettings(input)
            } or: {
                $0.hindrance == .modelsSetting
            }
            guard let settings else { return nil }
            try must((1...FaceModelSettings.pathLimit).contains(settings.paths.count), "\(settings.paths.count) paths")
            for path in settings.paths { try check(path) }
            return settings.paths.first?.place(of: 1000, name: "ada").flatMap { $0.parts.first.map { Array($0.utf8) } }
        })

    private static func check(_ path: FaceModelPath) throws(Wrong) {
        guard let place = path.place(of: 1000, name: "ada") else { throw Wrong("a user with a plain name has no place") }
        try must(!place.parts.isEmpty && place.parts.indices.contains(place.fixed), "\(place.fixed) of \(place.parts) are fixed")
        for part in place.parts {
            try must(!part.isEmpty && part != "." && part != "..", "'\(part)' leads elsewhere")
            try must(part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x2f && $0 != 0x7f }, "'\(part)' is no name")
        }
        // Either the name isn't in the path, or one that leads elsewhere has no place.
        let other = path.place(of: 1000, name: "eve")
        try must(other == place || path.place(of: 1000, name: "a/..") == nil, "a name leads elsewhere")
        try must(other == place || path.place(of: 1000, name: nil) == nil, "nobody's name is in a path")
    }

    private static var seeds: [[UInt8]] {
        [
            "/faces/%u\n", "# Howdy's\n\n  /etc/howdy/models/%u.dat \t\r\n/var/lib/faces/x-%U%%\n", "/var/lib/faces.db",
            "faces/%u\n",
            "/faces/%h\n", "/faces/%", "/faces/../%u\n", "/\n", "\n# nothing\n", "/fa\u{7}ces\n", "/faces/\u{301}x/%u\n",
            String(repeating: "/faces/%u\n", count: FaceModelSettings.pathLimit + 1),
        ].map { Array($0.utf8) } + [[0x2f, 0xff, 0x0a]]
    }
}
