import CThumbLinux

/// Lines to the terminal, without a C stream in between.
enum Output {
    static func error(_ text: String) { write(text + "\n", to: 2) }

    static func write(_ text: String, to fd: Int32) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { buffer in
            var place = 0
            while place < buffer.count {
                let count = unsafe CThumbLinux.write(fd, buffer.baseAddress! + place, buffer.count - place)
                if count <= 0 { return }
                place += count
            }
        }
    }
}
