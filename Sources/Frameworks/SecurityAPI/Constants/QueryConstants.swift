// What a query contains besides attributes: what to match, what to return, how to ask, and values.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// A policy that a certificate has to meet. Nothing here evaluates trust, so it fails with `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"
/// The items to search within. Accepted without effect, as on iOS.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"
/// The keychains to search. Accepted without effect, as on iOS, because there is only one keychain.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"
/// An array of issuers as DER: finds certificates and identities whose chain has one of them. For other classes it fails with
/// `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"
/// An address: finds certificates that contain it, or contain none.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A part of a certificate's subject. Accepted without effect, as on iOS.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// A host: finds internet passwords for it and for its subdomains. For other classes it fails with `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// How a certificate's subject begins. Accepted without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// How a certificate's subject ends. Accepted without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// A certificate's whole subject. Accepted without effect.
@safe nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Whether a subject is compared without its case. Accepted without effect, as on iOS.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether a subject is compared without its accents. Accepted without effect.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether a subject is compared without the width of its letters. Accepted without effect.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether to find trusted certificates only. Nothing here evaluates trust, so true fails with `errSecUnimplemented` for certificates and
/// identities.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// A date, or null for now: finds certificates that are valid then.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many matches `SecItemCopyMatching` returns: `kSecMatchLimitOne` (the default), `kSecMatchLimitAll` or a number.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
/// One match, returned by itself and not in an array.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every match, returned in an array.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether to return the secret. For a protected item this asks the owner.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// Whether to return the attributes. This never asks the owner.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether to return a key, certificate or identity. It has no effect for passwords.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// Whether to return a reference that you can keep. This never asks the owner.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The secret, as data; anything else fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// The object to add or to find.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// A reference that you kept, to find its item. Fails with `errSecParam` when adding, and beside attributes.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// Not supported: a call that has it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"
/// Accepted without effect, because there is only one keychain.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"
/// The reason that the prompt shows, if no context has one.
@available(*, deprecated, message: "Set localizedReason on an LAContext and pass it as kSecUseAuthenticationContext")
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// True fails with `errSecInteractionNotAllowed` instead of asking the owner.
@available(*, deprecated, message: "Use kSecUseAuthenticationUI or an LAContext with interactionNotAllowed")
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether the owner may be asked: allow (the default), fail or skip.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The `LAContext` whose evaluation counts for the call; anything else fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Accepted without effect, because there is only one keychain.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Accepted without effect.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// The owner may be asked.
@available(*, deprecated, message: "It is the default")
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fail with `errSecInteractionNotAllowed` instead of asking.
@available(*, deprecated, message: "Pass an LAContext with interactionNotAllowed")
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Leave out items that would have to ask; `SecItemCopyMatching` only.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
