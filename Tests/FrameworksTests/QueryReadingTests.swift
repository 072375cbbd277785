import Foundation
import Security
import Testing
import ThumbAccess

/// What a search dictionary means (behaviours 28 to 46).
struct QueryReadingTests {
    func query(_ parts: [String: Any], for call: QueryCall = .copyMatching) throws(KeychainFailure) -> Query {
        try Query(parts as CFDictionary, for: call)
    }

    /// A query for generic passwords with more in it.
    func generic(_ parts: [String: Any], for call: QueryCall = .copyMatching) throws(KeychainFailure) -> Query {
        try query(parts.merging(["class": "genp"]) { first, _ in first }, for: call)
    }

    func refusal(_ parts: [String: Any], for call: QueryCall = .copyMatching) -> KeychainFailure? {
        failure { () throws(KeychainFailure) in try generic(parts, for: call) }
    }

    @Test("28: a missing class is -50, an unknown one -25306, one that isn't text -50")
    func classes() throws {
        #expect(failure { () throws(KeychainFailure) in try query(["acct": "a"]) } == .parameter)
        #expect(failure { () throws(KeychainFailure) in try query(["class": "apls"]) } == .noSuchClass)
        #expect(failure { () throws(KeychainFailure) in try query(["class": 5]) } == .parameter)
        for (name, known) in [
            (kSecClassGenericPassword, ItemClass.genericPassword), (kSecClassInternetPassword, .internetPassword),
            (kSecClassCertificate, .certificate), (kSecClassKey, .key), (kSecClassIdentity, .identity),
        ] {
            #expect(try query(["class": name]).itemClass == known)
        }
    }

    @Test("29: four characters are an attribute; one of another class is -25303")
    func foreignAttributes() throws {
        #expect(refusal(["srvr": "host"]) == .noSuchAttribute)
        #expect(refusal(["kcls": "1"]) == .noSuchAttribute)
        #expect(refusal(["acls": "x"]) == .noSuchAttribute)
        #expect(refusal(["äbcd": "x"]) == .noSuchAttribute)
        #expect(refusal(["v_12": "x"]) == .noSuchAttribute)
        #expect(failure { () throws(KeychainFailure) in try query(["class": "inet", "svce": "s"]) } == .noSuchAttribute)
        #expect(try query(["class": "inet", "srvr": "host"]).attributes[AttributeName("srvr")!] == .text("host"))
    }

    @Test(
        "30: other keys go by their first letter, and what isn't known is -50",
        arguments: [
            "private", "public", "persistref", "rounds", "prf", "", "classs", "r_Everything", "v_Something", "m_Something",
            "f_inner",
        ])
    func otherKeys(_ key: String) {
        #expect(refusal([key: "x"]) == .parameter)
    }

    @Test("31: a key that isn't a string or a value of the wrong type is -50")
    func types() {
        let odd: NSDictionary = [5: "x", "class": "genp"]
        #expect(failure { () throws(KeychainFailure) in try Query(odd, for: .copyMatching) } == .parameter)
        #expect(refusal(["acct": 5]) == .parameter)
        #expect(refusal(["acct": NSNull()]) == .parameter)
        #expect(refusal(["agrp": Data([1])]) == .parameter)
        #expect(refusal(["cdat": "today"]) == .parameter)
        #expect(refusal(["pdmn": "zz"]) == .parameter)
        #expect(refusal(["pdmn": 1]) == .parameter)
        #expect(refusal(["crtr": Data([1])]) == .parameter)
        #expect(refusal(["crtr": 1.5]) == .parameter)
        #expect(refusal(["accc": "ak"]) == .parameter)
    }

    @Test("32: the secret must be data, in a search too")
    func secretType() {
        #expect(refusal(["v_Data": "text"]) == .parameter)
        #expect(refusal(["v_Data": Data()]) == nil)
    }

    @Test("33: what to return is said by Booleans, not by numbers or strings")
    func returns() throws {
        for value in [1, NSNumber(value: 1), "true", 1.0] as [Any] { #expect(refusal(["r_Data": value]) == .parameter) }
        for value in [true, NSNumber(value: true), kCFBooleanTrue!] as [Any] {
            #expect(try generic(["r_Data": value]).shape == .data)
        }
        #expect(
            try generic(["r_Data": false, "r_Attributes": true, "r_PersistentRef": true]).shape == [.attributes, .persistentRef])
    }

    @Test("34: the limit is a number, one or all")
    func limits() throws {
        #expect(try generic([:]).limit == 1)
        #expect(try generic(["m_Limit": kSecMatchLimitOne]).limit == 1)
        #expect(try generic(["m_Limit": kSecMatchLimitAll]).limit == nil)
        #expect(try generic(["m_Limit": 3]).limit == 3)
        #expect(try generic(["m_Limit": 0]).limit == 0)
        #expect(try generic(["m_Limit": Int.max]).limit == nil)
        for value in ["all", "3", true, -1, 1.5, Data()] as [Any] { #expect(refusal(["m_Limit": value]) == .parameter) }
    }

    @Test("35: data and access control don't filter, accessibility does")
    func filters() throws {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
        let query = try generic(["v_Data": Data([1]), "accc": control, "acct": "a"])
        #expect(query.attributes == [.account: .text("a")])
        #expect(try generic(["pdmn": kSecAttrAccessibleAfterFirstUnlock]).attributes == [.accessible: .text("ck")])
    }

    @Test("36: unknown use keys are ignored, some match keys are accepted without effect")
    func withoutEffect() throws {
        #expect(try generic(["u_Whatever": 1, "u_Keychain": "x"]) == generic([:]))
        for key in [kSecMatchItemList, kSecMatchSearchList, kSecMatchSubjectContains, kSecMatchCaseInsensitive] {
            #expect(refusal([key as String: "x"]) == nil)
            #expect(refusal([key as String: "x"], for: .update) == .parameter)
        }
    }

    @Test("37: policy, issuers and host are for other classes: -4")
    func classFilters() {
        for key in [kSecMatchPolicy, kSecMatchIssuers, kSecMatchHostOrSubdomainOfHost] {
            #expect(refusal([key as String: "x"]) == .unsupported)
        }
    }

    @Test("38: date, trust and address have types of their own")
    func certificateFilters() {
        #expect(refusal(["m_ValidOnDate": Date()]) == nil)
        #expect(refusal(["m_ValidOnDate": NSNull()]) == nil)
        #expect(refusal(["m_ValidOnDate": "now"]) == .parameter)
        #expect(refusal(["m_TrustedOnly": true]) == nil)
        #expect(refusal(["m_TrustedOnly": 1]) == .parameter)
        #expect(refusal(["m_EmailAddressIfPresent": "a@b"]) == nil)
        #expect(refusal(["m_EmailAddressIfPresent": 1]) == .parameter)
        let certificates = ["class": "cert", "m_TrustedOnly": true] as [String: Any]
        #expect(failure { () throws(KeychainFailure) in try query(certificates) } == .unsupported)
    }

    @Test("38: nobody judges trust here, so an identity that must be trusted isn't found either")
    func trustedIdentities() throws {
        func identities(_ trusted: Bool) throws(KeychainFailure) -> Query {
            try query(["class": kSecClassIdentity, "m_TrustedOnly": trusted])
        }
        #expect(failure { () throws(KeychainFailure) in try identities(true) } == .unsupported)
        #expect(try identities(false).itemClass == .identity)
    }

    @Test("39: a list of items to use is -50")
    func itemList() { #expect(refusal(["u_ItemList": [1]]) == .parameter) }

    @Test("40: the data protection keychain is accepted and says nothing")
    func dataProtection() throws {
        #expect(try generic([kSecUseDataProtectionKeychain as String: true]) == generic([:]))
    }

    @Test("41: an empty string is a filter of its own, absence is none")
    func empty() throws {
        #expect(try generic(["acct": ""]).attributes == [.account: .text("")])
        #expect(try generic([:]).attributes.isEmpty)
    }

    @Test("42: an empty port is 0, digits are numbers, and other text is text")
    func digits() throws {
        let port = AttributeName("port")!
        #expect(try query(["class": "inet", "port": ""]).attributes[port] == .number(0))
        #expect(try query(["class": "inet", "port": "80"]).attributes[port] == .number(80))
        #expect(try query(["class": "inet", "port": 443]).attributes[port] == .number(443))
        for (text, number) in [("-7", -7), ("0", 0), ("2147483647", 2_147_483_647), ("-2147483648", -2_147_483_648)] {
            #expect(try query(["class": "inet", "port": text]).attributes[port] == .number(Int64(number)))
        }
        for text in ["0012", "+5", " 5", "5 ", "-0", "2147483648", "-2147483649", "1e3", "Type Test"] {
            #expect(try query(["class": "inet", "port": text]).attributes[port] == .text(text))
        }
        let key = try query(["class": "keys", "type": kSecAttrKeyTypeECSECPrimeRandom, "kcls": kSecAttrKeyClassPrivate])
        #expect(key.attributes == [.type: .number(73), AttributeName("kcls")!: .number(1)])
    }

    @Test("43, 44: synchronizable is a Boolean, a number or digits, and selects; without it only local items are seen")
    func sync() throws {
        #expect(try generic([:]).sync == .localOnly)
        for value in [false, 0, "0", kCFBooleanFalse!] as [Any] { #expect(try generic(["sync": value]).sync == .localOnly) }
        for value in [true, 1, "1", kCFBooleanTrue!] as [Any] { #expect(try generic(["sync": value]).sync == .syncedOnly) }
        #expect(try generic(["sync": kSecAttrSynchronizableAny]).sync == .any)
        #expect(try generic(["sync": true]).attributes.isEmpty)
        #expect(refusal(["sync": "maybe"]) == .parameter)
    }

    @Test("45, 46: a persistent reference needs no class, ignores sync and goes with no attribute")
    func persistentReference() throws {
        let reference = Data("genp0123456789abcdef".utf8)
        let alone = try query(["v_PersistentRef": reference, "r_Data": true])
        #expect(alone.itemClass == nil)
        #expect(alone.persistentRef == [UInt8](reference))
        #expect(alone.sync == .any)
        #expect(try generic(["v_PersistentRef": reference, "sync": true]).sync == .any)
        #expect(refusal(["v_PersistentRef": reference, "acct": "a"]) == .parameter)
        #expect(refusal(["v_PersistentRef": reference, "acct": "a"], for: .delete) == .parameter)
        #expect(refusal(["v_PersistentRef": "text"]) == .parameter)
        #expect(refusal(["v_Ref": NSObject()]) == .parameter)
    }

    @Test("text and data stay what they are")
    func blobs() throws {
        let query = try generic(["acct": Data([0xff]), "svce": "s", "gena": Data()])
        #expect(query.attributes == [.account: .data([0xff]), .service: .text("s"), .generic: .data([])])
    }

    @Test("an attribute may have so many bytes and no more")
    func sizes() {
        let most = String(repeating: "x", count: QueryLimit.attributeBytes)
        #expect(refusal(["acct": most]) == nil)
        #expect(refusal(["acct": most + "x"]) == .dataTooLarge)
    }
}
