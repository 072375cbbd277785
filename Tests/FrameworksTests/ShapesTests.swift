import Foundation
import Security
import Testing
import ThumbAccess

/// The C-shaped names in the positions where sources use them.
struct ShapesTests {
    @Test("constants stand in every kind of dictionary, and each becomes the same query")
    func dictionaries() {
        let one: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: true]
        let two: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: kCFBooleanTrue!]
        let three: [String: AnyObject] = [String(kSecClass): kSecClassGenericPassword, kSecReturnData as String: kCFBooleanTrue]
        let four: [NSObject: AnyObject] = [kSecClass: kSecClassGenericPassword, kSecReturnData: true as AnyObject]
        let five: [String: AnyHashable] = [kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: true]
        let six = NSMutableDictionary()
        six[kSecClass] = kSecClassGenericPassword
        six.setObject(true, forKey: kSecReturnData)
        let seven: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
        let all: [CFDictionary] = [
            one as CFDictionary, two as CFDictionary, three as CFDictionary, four as CFDictionary, five as CFDictionary, six,
            seven,
        ]
        for dictionary in all {
            #expect(dictionary.count == 2)
            let calls = ItemCalls(FakeKeychain())
            #expect(failure { () throws(KeychainFailure) in try calls.copyMatching(dictionary, isWanted: true) } == .itemNotFound)
        }
    }

    @Test("a constant and the equal string are the same key")
    func sameKey() {
        #expect(AnyHashable(kSecAttrAccount) == AnyHashable("acct"))
        let found: [AnyHashable: Any] = ["acct": "ada"]
        #expect(found[kSecAttrAccount] as? String == "ada")
        let named: [String: Any] = [kSecAttrAccount as String: "ada"]
        #expect(named[kSecAttrAccount as String] as? String == "ada")
        #expect(Set<CFString>([kSecAttrAccount, kSecAttrService, "acct"]).count == 2)
        switch kSecClassKey {
        case kSecClassGenericPassword: Issue.record("wrong class")
        case kSecClassKey: break
        default: Issue.record("missed")
        }
    }

    @Test("dictionaries and data cast back")
    func back() {
        let dictionary: CFDictionary = [kSecAttrAccount as String: "ada"] as CFDictionary
        #expect((dictionary as! [String: Any])["acct"] as? String == "ada")
        #expect((dictionary as? [CFString: Any])?[kSecAttrAccount] as? String == "ada")
        let data: CFData = Data([1, 2]) as CFData
        #expect(data as Data == Data([1, 2]))
        let some: AnyObject? = data
        #expect(some as? Data == Data([1, 2]))
    }

    @Test("errors are read through the C-shaped functions")
    func errors() {
        var error: Unmanaged<CFError>?
        let none = SecAccessControlCreateWithFlags(nil, "nonsense" as CFString, [], &error)
        #expect(none == nil)
        guard let error = error?.takeRetainedValue() else {
            Issue.record("no error")
            return
        }
        #expect(CFErrorGetCode(error) == Int(errSecParam))
        #expect(CFErrorGetDomain(error) == kCFErrorDomainOSStatus)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect((CFErrorCopyDescription(error) as String).contains("parameter"))
        #expect((CFErrorCopyUserInfo(error) as? [String: Any])?.isEmpty == false)
        #expect((error as any Error as NSError).code == -50)
        let made = CFErrorCreate(kCFAllocatorDefault, "domain" as CFErrorDomain, 7, nil)
        #expect(made?.code == 7)
        #expect(NSError().code == 0)
    }

    @Test("types are told apart")
    func types() {
        #expect(CFGetTypeID("a" as CFString) == CFStringGetTypeID())
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: 1)) == CFNumberGetTypeID())
        #expect(CFGetTypeID(NSData()) == CFDataGetTypeID())
        #expect(CFGetTypeID([:] as CFDictionary) == CFDictionaryGetTypeID())
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
        #expect(CFEqual("a" as CFString, NSString(string: "a")))
    }
}
