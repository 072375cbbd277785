#if os(Linux)
import FoundationNetworking
import LocalAuthentication

/// One request and its answer over HTTP. It follows no redirection, keeps nothing, and limits the size of an answer.
///
/// @unchecked: everything that changes is touched only on the session's own queue, which runs one callback after the other.
final class SignInTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    struct Answer: Sendable {
        var status: Int
        var type: String?
        var retryAfter: String?
        var body: Data
    }

    /// The longest answer is a list of 32 devices. A longer one doesn't come from such a server.
    static let limit = 64 << 10
    /// Seconds without a byte: a stretched password takes time, but a dead connection must not hold up an app for ever.
    static let patience: TimeInterval = 20

    private var body = Data()
    private var answer: Answer?
    private var isTooLarge = false
    private var isCancelled = false
    private var finish: (Result<Answer, SignInError>) -> Void = { _ in }

    static func run(_ request: URLRequest) async throws(SignInError) -> Answer {
        let transfer = SignInTransfer()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: configuration, delegate: transfer, delegateQueue: queue)
        let task = session.dataTask(with: request)
        let result: Result<Answer, SignInError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { transfer.begin(task) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            queue.addOperation { transfer.cancel(task) }
        }
        session.finishTasksAndInvalidate()
        return try result.get()
    }

    private func begin(_ task: URLSessionDataTask, _ finish: @escaping (Result<Answer, SignInError>) -> Void) {
        if isCancelled { return finish(.failure(.cancelled)) }
        self.finish = finish
        task.resume()
    }

    private func cancel(_ task: URLSessionDataTask) {
        isCancelled = true
        task.cancel()
        end(.failure(.cancelled))
    }

    /// Ends it once. Anything that comes later is ignored.
    private func end(_ result: Result<Answer, SignInError>) {
        let finish = finish
        self.finish = { _ in }
        finish(result)
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        return configuration
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // A password or a token must go only to the origin that it belongs to.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let head = response as? HTTPURLResponse, response.expectedContentLength <= Self.limit else {
            isTooLarge = true
            return completionHandler(.cancel)
        }
        answer = Answer(
            status: head.statusCode, type: head.value(forHTTPHeaderField: "Content-Type"),
            retryAfter: head.value(forHTTPHeaderField: "Retry-After"), body: Data())
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.append(data)
        guard body.count > Self.limit else { return }
        isTooLarge = true
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if isTooLarge { return end(.failure(.badAnswer)) }
        guard error == nil, var answer else { return end(.failure(.unreachable)) }
        answer.body = body
        end(.success(answer))
    }
}
#endif
