import Foundation

/// A sanitizer makes mlock do nothing, turns a trap into an exit of its own, and needs files and memory for itself.
public enum Sanitizer {
    public static let isOn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    public static let reason = "a sanitizer stands between this test and the system"
}
