public import Foundation

/// Where a call writes the error that it failed with. Foundation has no such name on Linux.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
