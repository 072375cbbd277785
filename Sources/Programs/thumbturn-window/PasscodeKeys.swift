import CThumbGTK
import ThumbAccess
import ThumbPrompting
import ThumbSecrets

/// One press of a key. It is valid while GTK reports it.
@safe struct KeyPress {
    let key: UInt32
    let state: GdkModifierType
    fileprivate let controller: OpaquePointer

    init(_ key: UInt32, _ state: GdkModifierType, _ controller: OpaquePointer) {
        self.key = key
        self.state = state
        unsafe self.controller = controller
    }
}

/// The passcode field's keyboard. Characters go from the key's event directly into locked memory. It doesn't use GTK's own entry, which
/// would keep the text in ordinary memory.
@safe final class PasscodeKeys {
    private let input = unsafe gtk_im_context_simple_new()
    private let field: SecretField
    /// Whether an accent or the compose key was pressed and still waits for the next key.
    private var isComposing = false
    var isOpen = false

    /// Fails if no memory can be locked.
    init() throws {
        field = try SecretField(capacity: PasscodeLimit.most)
        unsafe thumb_on_commit(
            input,
            { _, text, own in
                guard let text = unsafe text, let own = unsafe own else { return }
                unsafe Unmanaged<PasscodeKeys>.fromOpaque(own).takeUnretainedValue().composed(String(cString: text))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { unsafe g_object_unref(input) }

    var characters: Int { field.characters }
    var isEmpty: Bool { field.count == 0 }

    func clear() { field.clear() }

    /// Shows what was typed, one character after the other, to be drawn and nothing else.
    func reveal(_ show: (Unicode.Scalar) -> Void) { field.reveal(show) }

    /// Takes what was typed and empties the field. nil if nothing was typed, or no memory can be locked.
    func take() -> SecretBytes? {
        guard field.count > 0 else { return nil }
        return try? field.take()
    }

    /// What the key means. If it is text, the field takes it first.
    func take(_ press: KeyPress, in window: Widget) -> KeyMeaning {
        let (key, state) = (press.key, press.state)
        let isControl = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
        let others = GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue | GDK_META_MASK.rawValue
        let meaning = KeyMeaning(
            key: key, character: gdk_keyval_to_unicode(key), isCommand: isControl || state.rawValue & others != 0,
            isControl: isControl)
        guard isOpen else { return meaning }
        if meaning == .composing || isComposing, meaning != .cancel {
            unsafe gtk_im_context_set_client_widget(input, window.pointer)
            isComposing = true
            if unsafe gtk_im_context_filter_keypress(input, gtk_event_controller_get_current_event(press.controller)) != 0 {
                return .composing
            }
            isComposing = false
        }
        switch meaning {
        case .character(let character): _ = field.append(character)
        case .removeLast: field.removeLast()
        case .clear: field.clear()
        case .composing, .enter, .cancel, .other: break
        }
        return meaning
    }

    private func composed(_ text: String) {
        isComposing = false
        for character in text.unicodeScalars { _ = field.append(character) }
    }
}
