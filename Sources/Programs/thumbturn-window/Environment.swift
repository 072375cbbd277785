import CThumbLinux

/// The environment that the window was started with: the session's own, or its caller's.
enum Environment {
    static func value(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// Takes away what would load foreign code into the process that is typed into, or have GTK read what isn't its own.
    static func trim() {
        let foreign = [
            "GTK_PATH", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GTK_DEBUG", "GDK_PIXBUF_MODULE_FILE", "GIO_EXTRA_MODULES",
            "GIO_MODULE_DIR",
        ]
        for name in foreign { unsafe unsetenv(name) }
        // What is typed goes through no input method's process.
        unsafe setenv("GTK_IM_MODULE", "gtk-im-context-simple", 1)
        unsafe setenv("GIO_USE_VFS", "local", 1)
    }
}
