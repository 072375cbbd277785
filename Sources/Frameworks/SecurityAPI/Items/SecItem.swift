public import Foundation
import ThumbAccess
import ThumbClient

private var calls: ItemCalls<DeviceClient> { ItemCalls(AppDevice.client) }

/// Adds one item to the keychain.
///
/// Returns `errSecDuplicateItem` if an item of the class with the same identifying attributes exists, `errSecParam` for a
/// dictionary that makes no sense, `errSecNoSuchAttr` for an attribute of another class, `errSecAuthFailed` if the access
/// control can't be met on this device, `errSecMissingEntitlement` for a foreign access group, `errSecNotAvailable` if the
/// keychain can't be reached. `result` is written only on success, and holds something only if a `kSecReturn…` key was true.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    do throws(KeychainFailure) {
        let added = try calls.add(attributes)
        if let result = unsafe result { unsafe result.pointee = added }
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// Finds items in the keychain.
///
/// Blocks while the owner is asked, if you want a secret whose access control demands it. Returns `errSecItemNotFound` if
/// nothing matches, `errSecUserCanceled` if the owner dismissed the prompt, `errSecAuthFailed` if authentication failed,
/// `errSecInteractionNotAllowed` if asking was necessary but not possible or not allowed, and otherwise as `SecItemAdd` does. A
/// failure leaves `result` untouched. Secrets come back as ordinary `Data`, in memory that nobody clears.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    do throws(KeychainFailure) {
        let found = try calls.copyMatching(query, isWanted: unsafe result != nil)
        if let result = unsafe result { unsafe result.pointee = found }
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// Changes every item that matches, or none.
///
/// It may have to ask the owner, as `SecItemCopyMatching` does. Returns `errSecParam` if the query says what to match or return,
/// `errSecNoSuchAttr` for anything but attributes and data in the second dictionary, `errSecItemNotFound` if nothing matches,
/// `errSecDuplicateItem` if the new values would collide, and otherwise as `SecItemAdd` does.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    do throws(KeychainFailure) {
        try calls.update(query, attributesToUpdate)
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// Removes every item that matches; never asks for the owner.
///
/// Returns `errSecItemNotFound` if nothing matches, `errSecParam` for a dictionary that makes no sense or limits the matches,
/// and otherwise as `SecItemAdd` does.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    do throws(KeychainFailure) {
        try calls.delete(query)
        return errSecSuccess
    } catch {
        return error.status
    }
}
