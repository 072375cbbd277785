public import Foundation

// Apple's C-shaped names. Each is the Foundation class that Apple bridges it to, because existing sources rely on that: they put constants
// into `[String: AnyObject]` and `[NSObject: AnyObject]`, and use `as String` and `as CFDictionary`.

/// A string constant or parameter of the C-shaped calls.
public typealias CFString = NSString
/// A query or an attribute dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// Bytes.
public typealias CFData = NSData
/// A list.
public typealias CFArray = NSArray
/// A point in time.
public typealias CFDate = NSDate
/// A URL.
public typealias CFURL = NSURL
/// A number.
public typealias CFNumber = NSNumber
/// A truth value.
public typealias CFBoolean = NSNumber
/// An error that a C-shaped call hands out.
public typealias CFError = NSError
/// Any object of these.
public typealias CFTypeRef = AnyObject
/// A count or an index.
public typealias CFIndex = Int
/// A set of option bits.
public typealias CFOptionFlags = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// The number of an object's type.
public typealias CFTypeID = UInt
/// A status code: 0 is success.
public typealias OSStatus = Int32

/// The status of a call that succeeded.
public let noErr: OSStatus = 0

/// A choice of memory allocator. There is nothing to choose, because every object is Swift's.
public final class CFAllocator: NSObject, Sendable {}

/// The default allocator, the only one there is.
public let kCFAllocatorDefault: CFAllocator! = nil
/// True, as an object. Implicitly unwrapped as in Apple's headers, and never nil.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False, as an object. Implicitly unwrapped as in Apple's headers, and never nil.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
