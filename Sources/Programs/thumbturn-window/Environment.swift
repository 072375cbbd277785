import CThumbLinux

/// The environment that the window was started with, which comes from the session or from its caller.
enum Environment {
    static func value(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// Removes variables that would load foreign code into the process where the passcode is typed, or make GTK read foreign files.
    static func trim() {
        let foreign = [
            "GTK_PATH", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GTK_DEBUG", "GDK_PIXBUF_MODULE_FILE", "GIO_EXTRA_MODULES",
            "GIO_MODULE_DIR",
        ]
        for name in foreign { unsafe unsetenv(name) }
        // Typed text must not go through an input method's process.
        unsafe setenv("GTK_IM_MODULE", "gtk-im-context-simple", 1)
        unsafe setenv("GIO_USE_VFS", "local", 1)
    }
}
