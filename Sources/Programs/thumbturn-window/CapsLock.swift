import CThumbGTK

/// Whether Caps Lock is on, on the keyboard of whoever sits there.
@safe final class CapsLock {
    private var keyboard: OpaquePointer?
    private var changed: () -> Void = {}

    var isOn: Bool { unsafe keyboard.map { unsafe gdk_device_get_caps_lock_state($0) != 0 } ?? false }

    /// Calls back whenever it changes, until `stop()`.
    func watch(_ changed: @escaping () -> Void) {
        self.changed = changed
        unsafe keyboard = thumb_hold_keyboard(
            { _, _, own in
                guard let own = unsafe own else { return }
                unsafe Unmanaged<CapsLock>.fromOpaque(own).takeUnretainedValue().changed()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func stop() {
        if let keyboard = unsafe keyboard { unsafe thumb_release_keyboard(keyboard, Unmanaged.passUnretained(self).toOpaque()) }
        unsafe keyboard = nil
        changed = {}
    }
}
