public import Foundation
import ThumbAccess
import ThumbClient

private var calls: ItemCalls<DeviceClient> { ItemCalls(AppDevice.client) }

/// Adds one item to the keychain.
///
/// Returns `errSecDuplicateItem` if the class has an item with the same identifying attributes, `errSecParam` for a dictionary that makes
/// no sense, `errSecNoSuchAttr` for an attribute of another class, `errSecAuthFailed` if this device can't meet the access control,
/// `errSecMissingEntitlement` for an access group that the program doesn't have, `errSecNotAvailable` if the keychain can't be reached.
/// `result` is written only on success, and holds something only if a `kSecReturn…` key was true.
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
/// Blocks while the owner is asked, if you want a secret whose access control demands it. Returns `errSecItemNotFound` if nothing matches,
/// `errSecUserCanceled` if the owner dismissed the prompt, `errSecAuthFailed` if authentication failed, `errSecInteractionNotAllowed` if
/// the owner had to be asked but that wasn't possible or allowed, and otherwise what `SecItemAdd` returns. A failure leaves `result`
/// untouched. Secrets are returned as ordinary `Data`, in memory that nobody clears.
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
/// `errSecNoSuchAttr` if the second dictionary has anything but attributes and data, `errSecItemNotFound` if nothing matches,
/// `errSecDuplicateItem` if the new values would collide, and otherwise what `SecItemAdd` returns.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    do throws(KeychainFailure) {
        try calls.update(query, attributesToUpdate)
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// Removes every item that matches. Never asks the owner.
///
/// Returns `errSecItemNotFound` if nothing matches, `errSecParam` for a dictionary that makes no sense or limits the matches, and otherwise
/// what `SecItemAdd` returns.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    do throws(KeychainFailure) {
        try calls.delete(query)
        return errSecSuccess
    } catch {
        return error.status
    }
}
