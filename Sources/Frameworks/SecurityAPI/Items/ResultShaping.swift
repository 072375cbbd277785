import Foundation
import ThumbAccess

/// Matches in the shape that the caller asked for: plain `NSData`, `NSDictionary` and `NSArray`, which apps can cast as usual.
///
/// A single thing is returned by itself, several in one dictionary. nil if nothing was asked for, or if none of it exists.
func shaped(_ items: [FoundItem], as shape: ResultShape, inArray: Bool, _ objects: FoundObjects = [:]) -> CFTypeRef? {
    var words = SharedWords()
    guard inArray else { return items.first.flatMap { shaped($0, as: shape, &words, objects) } }
    let all = items.compactMap { shaped($0, as: shape, &words, objects) }
    return all.isEmpty ? nil : NSArray(array: all)
}

private func shaped(
    _ item: FoundItem, as shape: ResultShape, _ words: inout SharedWords, _ objects: FoundObjects
) -> AnyObject? {
    switch shape {
    case .data: return item.secret?.copiedForApp
    case .persistentRef: return data(item.persistentRef)
    // A password has no object that could be returned.
    case .ref: return objects[item.persistentRef]
    case []: return nil
    default: break
    }
    var parts = Parts(capacity: item.attributes.count + 6)
    if shape.contains(.attributes) {
        for (name, value) in item.attributes where !ownNames.contains(name) { parts.add(words.key(name), object(value)) }
        let (code, control) = words.rule(item.rule)
        // An Enclave key's row can always be found; its rule protects its use.
        parts.add(words.key(.accessible), item.attributes.custodian == nil ? code : tokenAccessibility)
        parts.add(words.key(.accessControl), control)
    }
    if shape.contains(.ref) {
        parts.add("class", NSString(string: item.itemClass.name))
        if let object = objects[item.persistentRef] { parts.add("v_Ref", object) }
    }
    if shape.contains(.data), let secret = item.secret { parts.add("v_Data", secret.copiedForApp) }
    if shape.contains(.persistentRef) {
        let reference = data(item.persistentRef)
        parts.add("v_PersistentRef", reference)
        if shape.contains(.attributes) { parts.add("persistref", reference) }
    }
    return parts.dictionary
}

/// Attributes of our own, which apps don't see.
private let ownNames: Set<AttributeName> = [.publicKey, .custodian]

/// The accessibility that every row of a token has.
private var tokenAccessibility: NSString { NSString(string: Accessibility.always.code) }

/// What a list's dictionaries share, made once. None of it can change, so sharing has no effect.
private struct SharedWords {
    private var keys: [AttributeName: NSString] = [:]
    private var rules: [AccessRule: (code: NSString, control: SecAccessControl)] = [:]

    mutating func key(_ name: AttributeName) -> NSString {
        if let known = keys[name] { return known }
        let key = NSString(string: name.letters)
        keys[name] = key
        return key
    }

    mutating func rule(_ rule: AccessRule) -> (code: NSString, control: SecAccessControl) {
        if let known = rules[rule] { return known }
        let made = (NSString(string: rule.accessibility.code), SecAccessControl(rule: rule))
        rules[rule] = made
        return made
    }
}

/// A dictionary under construction: the two lists from which `NSDictionary` is made without bridging.
private struct Parts {
    private var keys: [NSObject] = []
    private var objects: [AnyObject] = []

    init(capacity: Int) {
        keys.reserveCapacity(capacity)
        objects.reserveCapacity(capacity)
    }

    mutating func add(_ key: String, _ object: AnyObject) { add(NSString(string: key), object) }

    mutating func add(_ key: NSString, _ object: AnyObject) {
        keys.append(key)
        objects.append(object)
    }

    // The other initializers copy both lists into lists of `Any` first.
    var dictionary: NSDictionary {
        unsafe objects.withUnsafeBufferPointer { objects in
            unsafe keys.withUnsafeBufferPointer { keys in
                unsafe NSDictionary(objects: objects.baseAddress, forKeys: keys.baseAddress, count: keys.count)
            }
        }
    }
}

private func data(_ bytes: [UInt8]) -> NSData { NSData(data: Data(bytes)) }

/// Text and data are returned unchanged, Booleans as the numbers 0 and 1.
private func object(_ value: AttributeValue) -> AnyObject {
    switch value {
    case .text(let text): NSString(string: text)
    case .data(let bytes): data(bytes)
    case .number(let number): NSNumber(value: number)
    case .flag(let flag): NSNumber(value: flag ? 1 : 0)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    }
}
