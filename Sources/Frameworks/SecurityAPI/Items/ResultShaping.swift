import Foundation
package import ThumbAccess

/// Matches in the shape the caller asked for: plain `NSData`, `NSDictionary` and `NSArray`, which cast to everything that apps
/// cast them to.
///
/// One thing asked for comes bare, several come in one dictionary. nil if nothing was asked for, or nothing of what was asked
/// for is there.
package func shaped(_ items: [FoundItem], as shape: ResultShape, inArray: Bool) -> CFTypeRef? {
    guard inArray else { return items.first.flatMap { shaped($0, as: shape) } }
    let all = items.compactMap { shaped($0, as: shape) }
    return all.isEmpty ? nil : NSArray(array: all)
}

private func shaped(_ item: FoundItem, as shape: ResultShape) -> AnyObject? {
    switch shape {
    case .data: return item.secret?.copiedForApp
    case .persistentRef: return data(item.persistentRef)
    // A password has no object of its own to hand out.
    case .ref: return item.object
    case []: return nil
    default: break
    }
    var parts = Parts()
    if shape.contains(.attributes) {
        for (name, value) in item.attributes { parts.add(name.letters, object(value)) }
        parts.add("pdmn", NSString(string: item.rule.accessibility.code))
        parts.add("accc", SecAccessControl(rule: item.rule))
    }
    if shape.contains(.ref) {
        parts.add("class", NSString(string: item.itemClass.name))
        if let object = item.object { parts.add("v_Ref", object) }
    }
    if shape.contains(.data), let secret = item.secret { parts.add("v_Data", secret.copiedForApp) }
    if shape.contains(.persistentRef) {
        let reference = data(item.persistentRef)
        parts.add("v_PersistentRef", reference)
        if shape.contains(.attributes) { parts.add("persistref", reference) }
    }
    return NSDictionary(objects: parts.objects, forKeys: parts.keys)
}

/// A dictionary in the making, as the two lists that `NSDictionary` is made of without bridging.
private struct Parts {
    var keys: [NSString] = []
    var objects: [AnyObject] = []

    mutating func add(_ key: String, _ object: AnyObject) {
        keys.append(NSString(string: key))
        objects.append(object)
    }
}

private func data(_ bytes: [UInt8]) -> NSData { NSData(data: Data(bytes)) }

/// Text and data come back as what they were, Booleans as the numbers 0 and 1.
private func object(_ value: AttributeValue) -> AnyObject {
    switch value {
    case .text(let text): NSString(string: text)
    case .data(let bytes): data(bytes)
    case .number(let number): NSNumber(value: number)
    case .flag(let flag): NSNumber(value: flag ? 1 : 0)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    }
}
