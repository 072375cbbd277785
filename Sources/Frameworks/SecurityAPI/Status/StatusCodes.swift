// Written by scripts/write-status-codes from StatusCodes.tsv: change that table and run the script.

// The codes that keychain calls return, and their neighbours.

/// The call succeeded.
public let errSecSuccess: OSStatus = 0
/// This isn't available for this item, key or algorithm.
public let errSecUnimplemented: OSStatus = -4
/// There is no room left on the disk. Free some and try again.
public let errSecDiskFull: OSStatus = -34
/// There is no room left on the disk. Free some and try again.
public let errSecDskFull: OSStatus = -34
/// Reading or writing failed.
public let errSecIO: OSStatus = -36
/// The file is already open for writing elsewhere.
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
/// Core Foundation failed without saying why.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// This program may not use that access group. See which groups it has with `thumbturn doctor`.
public let errSecMissingEntitlement: OSStatus = -34018
/// This program may not use this call.
public let errSecRestrictedAPI: OSStatus = -34020
/// The keychain can't be reached or can't be written just now. `thumbturn doctor` says why.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain can be read but not written.
public let errSecReadOnly: OSStatus = -25292
/// The owner could not be authenticated, or the item's access rule can't be met here; 'thumbturn doctor' says why.
public let errSecAuthFailed: OSStatus = -25293
/// There is no keychain of that name.
public let errSecNoSuchKeychain: OSStatus = -25294
/// This isn't a keychain, or it is damaged.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain of that name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296
/// This callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25297
/// This callback isn't registered, so it can't be removed.
public let errSecInvalidCallback: OSStatus = -25298
/// An item with the same identifying attributes is already in the keychain.
public let errSecDuplicateItem: OSStatus = -25299
/// No matching item is in the keychain.
public let errSecItemNotFound: OSStatus = -25300
/// The buffer is too small for the answer. Call again with a larger one.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is larger than the keychain accepts.
public let errSecDataTooLarge: OSStatus = -25302
/// The attribute doesn't belong to this class of item.
public let errSecNoSuchAttr: OSStatus = -25303
/// The item behind this reference is gone, or never was. Search for it again.
public let errSecInvalidItemRef: OSStatus = -25304
/// This search is over or was never begun. Begin a new one.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of item.
public let errSecNoSuchClass: OSStatus = -25306
/// No keychain was named, and none is set as the default.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The owner would have to be asked, and asking is not possible or not allowed here.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// This attribute is set by the keychain and can't be changed.
public let errSecReadOnlyAttr: OSStatus = -25309
/// This keychain was written by a version that isn't supported.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size aren't supported.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// No module is installed that stores items of this kind.
public let errSecNoStorageModule: OSStatus = -25312
/// No module is installed that reads certificates.
public let errSecNoCertificateModule: OSStatus = -25313
/// No module is installed that evaluates this trust policy.
public let errSecNoPolicyModule: OSStatus = -25314
/// The owner has to be asked, and this call doesn't ask. Use one that may show a prompt.
public let errSecInteractionRequired: OSStatus = -25315
/// The contents of this item can't be read at the moment.
public let errSecDataNotAvailable: OSStatus = -25316
/// The contents of this item can't be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// No chain could be built from this certificate to one that is trusted.
public let errSecCreateChainFailed: OSStatus = -25318
/// There is no such preferences domain. Use the user's, the system's or the common one.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// The machine is awake with its screen off, so nobody can be asked.
public let errSecInDarkWake: OSStatus = -25320
/// The access list is too complex for the simple form that was asked for.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no trust policy of that name.
public let errSecPolicyNotFound: OSStatus = -25241
/// One of the trust settings can't be read.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// This item has no access list.
public let errSecNoAccessForItem: OSStatus = -25243
/// The owner entry of an access list can't be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// There is no result of a trust evaluation yet. Evaluate the trust first.
public let errSecTrustNotAvailable: OSStatus = -25245
/// Data of this format can be neither imported nor exported.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format of the data isn't known.
public let errSecUnknownFormat: OSStatus = -25257
/// This key can only be exported encrypted.
public let errSecKeyIsSensitive: OSStatus = -25258
/// The data holds more than one private key, and one was expected.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// A passphrase is needed.
public let errSecPassphraseRequired: OSStatus = -25260
/// This can't be used as a passphrase.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The record of trust settings is damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// There are no trust settings for this certificate.
public let errSecNoTrustSettings: OSStatus = -25263
/// The PKCS #12 data doesn't verify: its password is wrong or it was changed.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// This certificate isn't the one that made the signature.
public let errSecNotSigner: OSStatus = -26267
/// The data can't be decoded.
public let errSecDecode: OSStatus = -26275

// The number of the older SSL calls that `SecKeyRawVerify` returns.

/// The signature wasn't made by this key.
public let errSSLCrypto: OSStatus = -9809

// Codes of the older certificate and cryptography calls. Calls here return a few of them (StatusTranslation.swift has
// which); the rest is there so that code that names them compiles.

/// The service for this isn't running.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The service needs more information to identify this program.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset while the operation ran. Begin again.
public let errSecDeviceReset: OSStatus = -67587
/// The device broke off in the middle of the operation.
public let errSecDeviceFailed: OSStatus = -67588
/// This program couldn't be added to the access list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key lacks parameters that it takes from its issuer's.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// Apple's signature doesn't match the data that came with it.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The date from which the key is valid can't be read.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The date until which the key is valid can't be read.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// A value couldn't be converted into the wanted form.
public let errSecConversionError: OSStatus = -67594
/// The connection was downgraded to SSL 2, which may be an attack.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// This user has used up their room. Remove something to make more.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is larger than this operation accepts.
public let errSecFileTooBig: OSStatus = -67597
/// The head of the key database is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// A stored key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// The key database was written by a version that isn't supported.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// The stored key was written by a version that isn't supported.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
/// The certificate belongs to another host than the one you connected to.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate has an unknown extension marked as critical, so it has to be refused.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// An issuer's certificate doesn't say whether it may issue others.
public let errSecNoBasicConstraints: OSStatus = -67604
/// A certificate was issued by a holder that isn't a certificate authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The certificate names another key of its issuer than the issuer has.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The identifier of the certificate's own key can't be used.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The certificate's key may not be used for what the trust policy is about.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The certificate's extended key usage doesn't include this purpose.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The key identifiers of a certificate and of its issuer don't fit together.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The chain of certificates is longer than one in it allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The chain ends in a certificate that can't be a root.
public let errSecInvalidRoot: OSStatus = -67612
/// The list of revoked certificates is too old. A newer one is needed.
public let errSecCRLExpired: OSStatus = -67613
/// The list of revoked certificates only becomes valid at a later date.
public let errSecCRLNotValidYet: OSStatus = -67614
/// No list of revoked certificates was found.
public let errSecCRLNotFound: OSStatus = -67615
/// The server of the list of revoked certificates doesn't answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The address of the list of revoked certificates isn't a usable URI.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an extension that isn't known.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The list of revoked certificates has an extension that isn't known.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The list of revoked certificates is signed by a key that isn't trusted for it.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The list of revoked certificates doesn't meet the trust policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The list of revoked certificates says that it isn't meant for this certificate.
public let errSecIDPFailure: OSStatus = -67622
/// The sender's e-mail address isn't among those of the certificate.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The certificate's extended key usage doesn't include e-mail.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The certificate's key may not be used for this step of signing or encrypting mail.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// For mail the certificate's key usage has to be marked as critical, and it isn't.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate holds no e-mail address at all.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The certificate has its e-mail address only in its alternative names, which aren't marked as critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The certificate's extended key usage doesn't include TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The OCSP responder's answer can't be read.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The question to the OCSP responder couldn't be put together.
public let errSecOCSPBadRequest: OSStatus = -67631
/// The OCSP responder doesn't answer.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The OCSP responder doesn't know this certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// There is nothing more to read.
public let errSecEndOfData: OSStatus = -67634
/// It couldn't be determined whether a certificate in the chain is revoked.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed. Try again later.
public let errSecNetworkFailure: OSStatus = -67636
/// The OCSP answer's own chain doesn't end in a root that is trusted.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// Somebody else changed the record in the meantime. Read it again first.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the OCSP answer doesn't verify.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The certificate that signed the OCSP answer is missing.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The OCSP responder couldn't read the question.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The OCSP responder had a failure of its own.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The OCSP responder is busy. Try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The OCSP responder takes only questions that are signed.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The OCSP responder doesn't answer this program's questions.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The OCSP answer belongs to another question than the one that was asked.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The chain of a code signature has the wrong number of certificates.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// An issuer in the chain of a code signature doesn't say whether it may issue certificates.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// The chain of a code signature is longer than one of its certificates allows.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// The certificate says nothing about what it is for, so it can't sign code.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The code is signed with a certificate for development, where one for release is needed.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The chain of a resource's signature has the wrong number of certificates.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The certificate's extended key usage doesn't include signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// The trust settings say that this certificate is never to be trusted.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The name of the certificate's holder is empty or can't be read.
public let errSecInvalidSubjectName: OSStatus = -67655
/// A qualified certificate makes a statement that isn't known.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// MobileMe keeps the request for later. That service has ended.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// MobileMe sends the request to another server. That service has ended.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// MobileMe reported a failure. That service has ended.
public let errSecMobileMeServerError: OSStatus = -67659
/// MobileMe doesn't answer. That service has ended.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// MobileMe has an entry for this already. That service has ended.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// A part of MobileMe failed. That service has ended.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// MobileMe is still working on an earlier request. That service has ended.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// MobileMe is working on no request. That service has ended.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// MobileMe couldn't verify the request for a certificate. That service has ended.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// MobileMe found that the request contradicts itself. That service has ended.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666
/// The module has to be initialized before it is used.
public let errSecNotInitialized: OSStatus = -67667
/// This handle isn't meant for this operation.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The pointer to be checked doesn't lead to anything known.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// A function's code differs from what its manifest says.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// Something failed inside the cryptography module.
public let errSecInternalError: OSStatus = -67671
/// The module couldn't get the memory that it needs.
public let errSecMemoryError: OSStatus = -67672
/// The data isn't what it claims to be, and can't be parsed.
public let errSecInvalidData: OSStatus = -67673
/// The directory of installed modules can't be read.
public let errSecMDSError: OSStatus = -67674
/// A pointer leads nowhere that may be read or written.
public let errSecInvalidPointer: OSStatus = -67675
/// The module's test of itself failed, so it does nothing.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed without saying why.
public let errSecFunctionFailed: OSStatus = -67677
/// The module's signed manifest doesn't verify, so it isn't loaded.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// No module has this identifier.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle was closed, or never opened.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases holds something that isn't a database.
public let errSecInvalidDBList: OSStatus = -67681
/// The module has no function of its own with this number.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address can't be read.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The list of revoked certificates is signed, so it can't be changed any more.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// There are more or fewer fields than there should be.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// The verification failed: the data isn't what it should be.
public let errSecVerificationFailure: OSStatus = -67686
/// The data has a tag that isn't known.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is of the wrong form.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is empty or holds what a name may not.
public let errSecInvalidName: OSStatus = -67689
/// This isn't a certificate.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The certificates don't belong together, or one of them can't be read.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// The data lacks a tag that was looked for.
public let errSecTagNotFound: OSStatus = -67692
/// The search asks for something that can't be searched for.
public let errSecInvalidQuery: OSStatus = -67693
/// A value lies outside of what is allowed.
public let errSecInvalidValue: OSStatus = -67694
/// The program's callback function failed.
public let errSecCallbackFailed: OSStatus = -67695
/// The entry couldn't be removed from the access list.
public let errSecACLDeleteFailed: OSStatus = -67696
/// The entry of the access list couldn't be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// The entry couldn't be added to the access list.
public let errSecACLAddFailed: OSStatus = -67698
/// The access list couldn't be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The credentials that came with the request have the wrong form.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is damaged, or of another kind than expected.
public let errSecInvalidRecord: OSStatus = -67701
/// The access list can't be read.
public let errSecInvalidACL: OSStatus = -67702
/// The password or other sample that was given for access has the wrong form.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The two sides use versions that don't work together.
public let errSecIncompatibleVersion: OSStatus = -67704
/// This program doesn't have the privilege that the operation needs.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// There is no such scope for an operation.
public let errSecInvalidScope: OSStatus = -67706
/// The checking of pointers was configured before and can't be configured twice.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// There is no such setting for the checking of pointers.
public let errSecInvalidPVC: OSStatus = -67708
/// An optional module manager couldn't be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// An optional module manager couldn't be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// An add-in module couldn't be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// This isn't a key that can be used here.
public let errSecInvalidKeyRef: OSStatus = -67712
/// This key's place in the key hierarchy is wrong.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// An add-in module couldn't be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// The library that the reference names isn't there.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// An add-in module's table of functions is incomplete or damaged.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The module was asked for a set of services that doesn't exist.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module has to be loaded before it is used.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The module has no part with this number.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The operation's context doesn't hold this attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The module manager couldn't start.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// There is no module manager for this kind of module.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// No callback is registered for this event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input is longer or shorter than the operation takes.
public let errSecInputLengthError: OSStatus = -67724
/// The room for the output is too small or too large.
public let errSecOutputLengthError: OSStatus = -67725
/// The module knows no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device refuses, or answers with a failure. Try again later.
public let errSecDeviceError: OSStatus = -67727
/// The module is in use, so it can't be detached.
public let errSecAttachHandleBusy: OSStatus = -67728
/// The device wants a login before this operation.
public let errSecNotLoggedIn: OSStatus = -67729
/// The key belongs to another algorithm than the one that was asked for.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key may not be used for this.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The key's data is of another kind than it says.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The head of the key's data contradicts the rest.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys in this format can't be used here.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this length can't be used here.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The uses that the key is to have contradict each other.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// The key can't be limited to these uses here.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The properties that the key is to have contradict each other.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// The key can't have these properties here.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The label that the key is to have can't be used.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// Keys can't have a label of this kind here.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key's data isn't in the format that it should be in.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// The data has to be in one buffer, not in several.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// One of the input buffers can't be read.
public let errSecInvalidInputVector: OSStatus = -67744
/// One of the output buffers can't be written.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The operation's context is of the wrong kind, or was released.
public let errSecInvalidContext: OSStatus = -67746
/// There is no such algorithm, or it doesn't do this operation.
public let errSecInvalidAlgorithm: OSStatus = -67747
/// The key that was given can't be used here.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The operation needs a key, and none was given.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector that was given can't be used here.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The operation needs an initialization vector, and none was given.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt that was given can't be used here.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The operation needs a salt, and none was given.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding that was given can't be used here.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The operation needs a padding, and none was given.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random number that was given can't be used here.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The operation needs a random number, and none was given.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed that was given can't be used here.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The operation needs a seed, and none was given.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase that was given can't be used here.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The operation needs a passphrase, and none was given.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The key length that was given can't be used here.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The operation needs a key length, and none was given.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The block size that was given can't be used here.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The operation needs a block size, and none was given.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The output size that was given can't be used here.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The operation needs an output size, and none was given.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of rounds that was given can't be used here.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The operation needs a number of rounds, and none was given.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The algorithm can't work with the parameters that it was given.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The algorithm needs parameters, and none were given.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label that was given can't be used here.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The operation needs a label, and none was given.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The type of key that was given can't be used here.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The operation needs a type of key, and none was given.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode that was given can't be used here.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The operation needs a mode, and none was given.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits that was given can't be used here.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The operation needs a number of effective bits, and none was given.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date that was given can't be used here.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The operation needs a start date, and none was given.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date that was given can't be used here.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The operation needs an end date, and none was given.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version that was given can't be used here.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The operation needs a version, and none was given.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime that was given can't be used here.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The operation needs a prime, and none was given.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base that was given can't be used here.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The operation needs a base, and none was given.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The subprime that was given can't be used here.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The operation needs a subprime, and none was given.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The number of iterations that was given can't be used here.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The operation needs a number of iterations, and none was given.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The database handle that was given can't be used here.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The operation needs a database handle, and none was given.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The set of credentials that was given can't be used here.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The operation needs a set of credentials, and none was given.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The format for public keys that was given can't be used here.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The operation needs a format for public keys, and none was given.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The format for private keys that was given can't be used here.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The operation needs a format for private keys, and none was given.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The format for symmetric keys that was given can't be used here.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The operation needs a format for symmetric keys, and none was given.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The format for wrapped keys that was given can't be used here.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The operation needs a format for wrapped keys, and none was given.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
/// An operation in several steps is still running. End it first.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// An operation in several steps has to be begun before it goes on.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// The signature doesn't match.
public let errSecVerifyFailed: OSStatus = -67808
/// The size of the answer isn't known in advance.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The data isn't a whole number of the cipher's blocks.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The parts of the public key contradict each other.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device couldn't prove that it is the right one.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The login's name isn't known, or can't be used.
public let errSecInvalidLoginName: OSStatus = -67813
/// There is a login at the device already. Log out first.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// The signature can't be made over a digest of this algorithm.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The lists of revoked certificates don't belong together, or one can't be read.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate can't be used for this operation.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired. A newer one is needed.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate only becomes valid at a later date.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate's issuer has revoked it.
public let errSecCertificateRevoked: OSStatus = -67820
/// The certificate's issuer has put it on hold.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials don't give enough rights for this.
public let errSecInsufficientCredentials: OSStatus = -67822
/// There is no such action for this.
public let errSecInvalidAction: OSStatus = -67823
/// The authority that was named isn't one.
public let errSecInvalidAuthority: OSStatus = -67824
/// It couldn't be verified that the action is allowed.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The certificate's issuer isn't a certificate authority that may be used here.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The issuer of the list of revoked certificates may not be used here.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// The issuer of the list of revoked certificates may not be used here.
public let errSecInvaldCRLAuthority: OSStatus = -67827
/// The list of revoked certificates is in an encoding that can't be read.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// The list of revoked certificates is of a type that isn't known.
public let errSecInvalidCRLType: OSStatus = -67829
/// This isn't a list of revoked certificates.
public let errSecInvalidCRL: OSStatus = -67830
/// The form is of a type that isn't known.
public let errSecInvalidFormType: OSStatus = -67831
/// This number identifies nothing.
public let errSecInvalidID: OSStatus = -67832
/// This name identifies nothing.
public let errSecInvalidIdentifier: OSStatus = -67833
/// There is nothing at this place of the list.
public let errSecInvalidIndex: OSStatus = -67834
/// One of the trust policies that were named isn't known.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The text isn't a time.
public let errSecInvalidTimeString: OSStatus = -67836
/// There is no such reason.
public let errSecInvalidReason: OSStatus = -67837
/// The inputs of the request can't be used.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// One of the buffers of the answer can't be read.
public let errSecInvalidResponseVector: OSStatus = -67839
/// There is no such rule for when an evaluation stops.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// An authorization rule can't be read.
public let errSecInvalidTuple: OSStatus = -67841
/// Only one value can be given here.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// The certificate doesn't lead to anything that is trusted.
public let errSecNotTrusted: OSStatus = -67843
/// No authority was named, and none is set as the default.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request was lost. Send it again.
public let errSecRequestLost: OSStatus = -67846
/// The other side rejected the request.
public let errSecRequestRejected: OSStatus = -67847
/// Network addresses of this type can't be used here.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// The module doesn't offer this service.
public let errSecUnsupportedService: OSStatus = -67849
/// The authorization rules don't belong together, or one can't be read.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The access lists that the evaluation starts from can't be read.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The authorization rules that came as credentials can't be used.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// The authorization rules that came as credentials can't be used.
public let errSecInvalidTupleCredendtials: OSStatus = -67852
/// The data isn't in the encoding that it should be in.
public let errSecInvalidEncoding: OSStatus = -67853
/// The validity period ends before it begins, or can't be read.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// The sender of the request isn't known, or isn't allowed to make it.
public let errSecInvalidRequestor: OSStatus = -67855
/// The description of the request can't be read.
public let errSecRequestDescriptor: OSStatus = -67856
/// The information about the bundle is missing or can't be read.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The list of revoked certificates has no entry at this place.
public let errSecInvalidCRLIndex: OSStatus = -67858
/// The field has no value.
public let errSecNoFieldValues: OSStatus = -67859
/// Fields in this format can't be used here.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// The database can't have an index of this kind.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// This kind of location isn't supported.
public let errSecUnsupportedLocality: OSStatus = -67862
/// The database can't hold that many attributes in a record.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// The database can't have that many indexes.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// The database can't hold that many types of records.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field was given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The field's value is in another format than the field.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The module that should parse this data can't be used for it.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database has to be unlocked first.
public let errSecDatabaseLocked: OSStatus = -67869
/// The database is in use, so this can't be done to it.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value that is needed wasn't given.
public let errSecMissingValue: OSStatus = -67871
/// The database can't limit a search in this way.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// The search has more conditions than the database takes.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// The search compares in a way that the database doesn't know.
public let errSecUnsupportedOperator: OSStatus = -67874
/// A database can't be kept at this location.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The database was asked for an access that doesn't exist.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The description of a database's index can't be read.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The owner that was named can't own the database.
public let errSecInvalidNewOwner: OSStatus = -67878
/// There is no such way of changing a record.
public let errSecInvalidModifyMode: OSStatus = -67879
/// The certificate lacks an extension that is needed here.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// The certificate's extended key usage has to be marked as critical, and it isn't.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// The signature should carry a timestamp, and has none.
public let errSecTimestampMissing: OSStatus = -67882
/// The timestamp can't be read, or doesn't belong to this signature.
public let errSecTimestampInvalid: OSStatus = -67883
/// The timestamp comes from an authority that isn't trusted.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// The timestamp authority doesn't answer. Try again later.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The timestamp authority doesn't know the algorithm of the request, or doesn't accept it.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The timestamp authority doesn't permit this request.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The timestamp authority couldn't read the data that it was sent.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The timestamp authority doesn't know the time at the moment.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The timestamp authority doesn't work by the policy that was asked for.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The timestamp authority doesn't know an extension that was asked for.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// The timestamp authority doesn't have the further information that was asked for.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The timestamp authority had a failure of its own.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// The signature should say when it was made, and doesn't.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The timestamp authority rejected the request.
public let errSecTimestampRejection: OSStatus = -67895
/// The timestamp authority hasn't processed the request yet. Ask again later.
public let errSecTimestampWaiting: OSStatus = -67896
/// The timestamp authority warns that its certificate will soon be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The timestamp authority says that its certificate has been revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// The issuer may not issue certificates under this policy.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// The issuer may not issue certificates for this name.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for longer than is accepted.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// This is a certificate authority's own certificate, and one of a person, program or server is needed.
public let errSecCertificateIsCA: OSStatus = -67902
/// The certificate has the same extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// A qualified certificate lacks the statement that makes it one.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
