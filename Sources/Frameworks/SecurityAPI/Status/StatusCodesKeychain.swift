// The status codes that keychain calls return, and their older neighbours. The numbers are Apple's; the words are ours.

/// The call succeeded.
public let errSecSuccess: OSStatus = 0
/// This isn't available for this item, key or algorithm.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// The disk is full.
public let errSecDskFull: OSStatus = -34
/// Reading or writing failed.
public let errSecIO: OSStatus = -36
/// Operation write.
public let errSecOpWr: OSStatus = -49
/// A parameter is missing, has the wrong type, or doesn't go with the others.
public let errSecParam: OSStatus = -50
/// The file may not be written.
public let errSecWrPerm: OSStatus = -61
/// Memory ran out.
public let errSecAllocate: OSStatus = -108
/// The owner dismissed the prompt.
public let errSecUserCanceled: OSStatus = -128
/// The request came in the wrong state.
public let errSecBadReq: OSStatus = -909
/// A part of the system failed inside.
public let errSecInternalComponent: OSStatus = -2070
/// Core foundation unknown.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// This program may not use that access group. See which groups it has with `thumbturn doctor`.
public let errSecMissingEntitlement: OSStatus = -34018
/// This program may not use this call.
public let errSecRestrictedAPI: OSStatus = -34020
/// The keychain can't be reached or can't be written just now. `thumbturn doctor` says why.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain is read-only.
public let errSecReadOnly: OSStatus = -25292
/// The owner could not be authenticated, or the item's access rule forbids this use.
public let errSecAuthFailed: OSStatus = -25293
/// No such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// Invalid keychain.
public let errSecInvalidKeychain: OSStatus = -25295
/// Duplicate keychain.
public let errSecDuplicateKeychain: OSStatus = -25296
/// Duplicate callback.
public let errSecDuplicateCallback: OSStatus = -25297
/// Invalid callback.
public let errSecInvalidCallback: OSStatus = -25298
/// An item with the same identifying attributes is already in the keychain.
public let errSecDuplicateItem: OSStatus = -25299
/// No matching item is in the keychain.
public let errSecItemNotFound: OSStatus = -25300
/// Buffer too small.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is larger than the keychain accepts.
public let errSecDataTooLarge: OSStatus = -25302
/// The attribute doesn't belong to this class of item.
public let errSecNoSuchAttr: OSStatus = -25303
/// Invalid item reference.
public let errSecInvalidItemRef: OSStatus = -25304
/// Invalid search reference.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of item.
public let errSecNoSuchClass: OSStatus = -25306
/// No default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The owner would have to be asked, and asking is not possible or not allowed here.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// Read only attribute.
public let errSecReadOnlyAttr: OSStatus = -25309
/// Wrong security version.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size aren't supported.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// No storage module.
public let errSecNoStorageModule: OSStatus = -25312
/// No certificate module.
public let errSecNoCertificateModule: OSStatus = -25313
/// No policy module.
public let errSecNoPolicyModule: OSStatus = -25314
/// Interaction required.
public let errSecInteractionRequired: OSStatus = -25315
/// Data not available.
public let errSecDataNotAvailable: OSStatus = -25316
/// Data not modifiable.
public let errSecDataNotModifiable: OSStatus = -25317
/// Create chain failed.
public let errSecCreateChainFailed: OSStatus = -25318
/// Invalid preferences domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// In dark wake.
public let errSecInDarkWake: OSStatus = -25320
/// ACL not simple.
public let errSecACLNotSimple: OSStatus = -25240
/// Policy not found.
public let errSecPolicyNotFound: OSStatus = -25241
/// Invalid trust setting.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// No access for item.
public let errSecNoAccessForItem: OSStatus = -25243
/// Invalid owner edit.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// Trust not available.
public let errSecTrustNotAvailable: OSStatus = -25245
/// Unsupported format.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format of the data isn't known.
public let errSecUnknownFormat: OSStatus = -25257
/// Key is sensitive.
public let errSecKeyIsSensitive: OSStatus = -25258
/// Multiple private keys.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// A passphrase is needed.
public let errSecPassphraseRequired: OSStatus = -25260
/// Invalid password reference.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// Invalid trust settings.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// No trust settings.
public let errSecNoTrustSettings: OSStatus = -25263
/// The PKCS #12 data doesn't verify: its password is wrong or it was changed.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// Not signer.
public let errSecNotSigner: OSStatus = -26267
/// The data can't be decoded.
public let errSecDecode: OSStatus = -26275
/// A signature isn't the key's: what `SecKeyRawVerify` returns, and nothing else here.
public let errSSLCrypto: OSStatus = -9809
