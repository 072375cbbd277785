public import Foundation

/// Where a call writes the error it failed with; Foundation has no such name here.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
