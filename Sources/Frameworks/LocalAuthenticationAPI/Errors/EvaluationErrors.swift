import Foundation
package import ThumbAccess
import ThumbSecurityAPI

extension LAError {
    /// The error that an app gets for a failure.
    package init(failure: EvaluationFailure) { self.init(_nsError: failure.errorObject) }
}
