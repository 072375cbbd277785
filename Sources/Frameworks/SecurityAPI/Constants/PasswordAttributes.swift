// Attributes of passwords, and those that every item has.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// When the item can be read: one of the `kSecAttrAccessible…` values; `kSecAttrAccessibleWhenUnlocked` by default.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
/// The access list of macOS's older keychain: fails with `errSecNoSuchAttr`.
@safe nonisolated(unsafe) public let kSecAttrAccess: CFString = "acls"
/// The item's `SecAccessControl`. It has no effect as a filter, and fails with `errSecParam` beside another accessibility.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"
/// The group that shares the item. A group that the program doesn't have fails with `errSecMissingEntitlement`.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item may be synchronized. Nothing is synchronized here, and a query without this key finds only items that may not be.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
/// The value for `kSecAttrSynchronizable` in a query that finds both kinds of items.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"
/// When the item was added; set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"
/// When the item was last changed; set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"
/// Passwords: what kind of secret it is, for people.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"
/// Passwords: a note.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"
/// Passwords: who made the item, four characters as a number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"
/// Passwords: the item's type, four characters as a number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"
/// The item's name for people; doesn't identify it.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"
/// Passwords: whether to hide it from lists, a Boolean.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"
/// Passwords: whether the item says that there is no valid password, a Boolean.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"
/// Passwords: the account; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
/// Generic passwords: the service; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
/// Generic passwords: data of the app's own; doesn't identify the item.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"
/// Internet passwords: the security domain; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"
/// Internet passwords: the server; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"
/// Internet passwords: one of the `kSecAttrProtocol…` values; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"
/// Internet passwords: one of the `kSecAttrAuthenticationType…` values; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"
/// Internet passwords: the port; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"
/// Internet passwords: the path; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"
/// A hint for synchronization; identifies the item.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"
/// The persistent reference in a returned dictionary, under the name with Apple's old spelling mistake.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"
/// The persistent reference in a returned dictionary; fails with `errSecParam` in a query.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref"
