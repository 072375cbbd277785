// What a query says beside attributes: what to match, what to return, how to ask, and values.
// The strings are Apple's: they stand in dictionaries that apps keep and exchange.

public import Foundation

/// SecPolicy filter for certs/identities; other classes -4.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"
/// Array of items to search within; macOS file keychain; iOS parser accepts and ignores it (but it still counts as a match
/// key).
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"
/// Array of SecKeychain to search; macOS file keychain; ignored by iOS parser.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"
/// Array of DER names; chain must hold one; cert/identity only, else -4.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"
/// String; cert must hold it if it holds any address.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// String; subject must contain it. iOS parser accepts and ignores it.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// String; inet srvr equals host or a subdomain; other class -4.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// String prefix of subject; macOS only.
@safe nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// String suffix of subject; macOS only.
@safe nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Exact subject string; macOS only.
@safe nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Bool for subject/email matching; default case-sensitive. iOS parser accepts and ignores it.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Bool for subject matching; macOS only.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Bool for subject matching; macOS only.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Bool; keep only certs that verify to an anchor.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Date or null (= now); keep certs valid then.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many matches `SecItemCopyMatching` returns: `kSecMatchLimitOne` (the default), `kSecMatchLimitAll` or a number.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
/// One match, returned bare.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every match, returned in an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether to return the secret; a protected item then asks for the owner.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// Whether to return the attributes; never asks for the owner.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether to return a key, certificate or identity; without effect for passwords.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// Whether to return a reference that can be kept; never asks for the owner.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The secret, as data; anything else fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// The object to add or to find.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// A kept reference to find one item by; fails with `errSecParam` when adding or beside attributes.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// Not supported: a call that has it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"
/// Accepted and without effect: there is only the one keychain.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"
/// The prompt's reason, where no context says one.
@available(*, deprecated, message: "Set localizedReason on an LAContext and pass it as kSecUseAuthenticationContext")
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// True: fail with `errSecInteractionNotAllowed` instead of asking for the owner.
@available(*, deprecated, message: "Use kSecUseAuthenticationUI or an LAContext with interactionNotAllowed")
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether the owner may be asked: allow (the default), fail or skip.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The `LAContext` whose evaluation counts for the call; anything else fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Accepted and without effect: there is only the one keychain.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Accepted and without effect.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// The owner may be asked.
@available(*, deprecated, message: "It is the default")
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fail with `errSecInteractionNotAllowed` instead of asking.
@available(*, deprecated, message: "Pass an LAContext with interactionNotAllowed")
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Leave out items that would have to ask; `SecItemCopyMatching` only.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
