import CThumbLinux
import CThumbPostgres
import ThumbSignIn
import ThumbSystem

/// A statement with its values.
struct PostgresQuery {
    let sql: String
    let values: [PostgresValue]

    init(_ sql: String, _ values: PostgresValue...) { (self.sql, self.values) = (sql, values) }
}

/// What went wrong in a pipeline.
enum PostgresSetback: Error {
    /// The statement with this number was refused, with PostgreSQL's code. Those after it weren't looked at. The connection still works.
    case refused(code: String, statement: Int)
    /// The connection is gone. If a statement was reported as failed, this is its number, and those after it weren't looked at.
    case lost(String, statement: Int?)
}

/// One connection to PostgreSQL with its prepared statements. The only file here that calls libpq.
@safe final class PostgresConnection {
    /// How long a pipeline may take. The server ends a slow statement earlier.
    private static let patience: Int64 = 15_000

    private let handle: OpaquePointer
    /// Statements' names, which are numbers, and whether they are prepared yet.
    private var statements: [String: (name: Int, isPrepared: Bool)] = [:]

    /// Connects. `url` is a `postgresql://` URL or another form that libpq reads.
    init(url: String) throws(LedgerFailure) {
        // If libpq can't read the URL, its message quotes it, including the password.
        guard Self.canBeRead(url) else { throw .unusable("PostgreSQL: the database's URL can't be read") }
        // The URL's own settings come later and take precedence, except over the encoding.
        let words = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "\(Self.patience)"), ("application_name", "thumbturn-server"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let texts = unsafe words.flatMap { unsafe [strdup($0.0), strdup($0.1)] }
        defer { for place in unsafe texts.indices { unsafe free(texts[place]) } }
        let keywords = unsafe stride(from: 0, to: texts.count, by: 2).map { unsafe UnsafePointer(texts[$0]) } + [nil]
        let values = unsafe stride(from: 1, to: texts.count, by: 2).map { unsafe UnsafePointer(texts[$0]) } + [nil]
        guard let handle = unsafe PQconnectdbParams(keywords, values, 1) else { throw .unavailable("PostgreSQL: no memory") }
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            let words = unsafe String(cString: PQerrorMessage(handle))
            unsafe PQfinish(handle)
            throw .unavailable("PostgreSQL: \(words.split(separator: "\n").first ?? "no connection")")
        }
        unsafe self.handle = handle
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            throw .unavailable("PostgreSQL: the connection takes no pipeline")
        }
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(handle) }

    private static func canBeRead(_ url: String) -> Bool {
        guard let options = unsafe PQconninfoParse(url, nil) else { return false }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            // An unescaped @ in the password makes the rest of the password part of the host, which libpq prints in its messages.
            if let value = unsafe option.pointee.val, unsafe String(cString: keyword) == "host",
                unsafe String(cString: value).dropFirst().contains("@")
            {
                return false
            }
            unsafe option += 1
        }
        return true
    }

    /// Sends the statements all at once and waits for all answers, which takes one round trip. After a refusal the transaction, if there is
    /// one, waits for its `ROLLBACK`.
    func pipeline(_ queries: [PostgresQuery]) throws(PostgresSetback) -> [PostgresResult] {
        try hearEnd()
        var steps: [Step] = []
        for (number, query) in queries.enumerated() {
            if statements[query.sql]?.isPrepared != true && !steps.contains(where: { $0.prepares == query.sql }) {
                steps.append(Step(statement: number, prepares: query.sql))
                try prepare(query.sql)
            }
            steps.append(Step(statement: number, prepares: nil))
            try send(query)
        }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost(nil) }
        return try answers(to: steps)
    }

    /// Finds out whether the connection ended since the last batch, so that nothing of this batch was sent. Between batches the server
    /// reports only that.
    private func hearEnd() throws(PostgresSetback) {
        var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
        while unsafe poll(&descriptor, 1, 0) > 0 {
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost(0) }
            // This takes it out of the buffer.
            _ = unsafe PQisBusy(handle)
        }
    }

    /// What the next answer will be about.
    private struct Step {
        let statement: Int
        /// The statement's text, if it is only being prepared.
        let prepares: String?
    }

    private func name(of sql: String) -> String {
        if let known = statements[sql] { return "\(known.name)" }
        let name = statements.count
        statements[sql] = (name, false)
        return "\(name)"
    }

    private func prepare(_ sql: String) throws(PostgresSetback) {
        guard unsafe PQsendPrepare(handle, name(of: sql), sql, 0, nil) == 1 else { throw lost(nil) }
    }

    private func send(_ query: PostgresQuery) throws(PostgresSetback) {
        let values = query.values.map(\.encoded)
        let all = values.flatMap(\.self)
        let lengths = values.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: values.count)
        let status = unsafe all.withUnsafeBytes { bytes in
            var place = 0
            let pointers: [UnsafePointer<CChar>?] = unsafe values.map { value in
                defer { place += value.count }
                return unsafe bytes.baseAddress.map { unsafe ($0 + place).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe PQsendQueryPrepared(
                handle, name(of: query.sql), Int32(values.count), pointers, lengths, formats, 1)
        }
        guard status == 1 else { throw lost(nil) }
    }

    private func answers(to steps: [Step]) throws(PostgresSetback) -> [PostgresResult] {
        let end = Self.milliseconds + Self.patience
        var results: [PostgresResult] = []
        var refused: (code: String, statement: Int)?
        var place = 0
        while true {
            try wait(until: end, refused?.statement)
            // Between the answers to two statements there is an empty one.
            guard let result = unsafe PQgetResult(handle) else { continue }
            let answer = unsafe PostgresResult(result)
            let status = unsafe PQresultStatus(result)
            if status == PGRES_PIPELINE_SYNC { break }
            guard place < steps.count else { throw lost(refused?.statement) }
            let step = steps[place]
            place += 1
            if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
                if let sql = step.prepares { statements[sql]?.isPrepared = true } else { results.append(answer) }
            } else if refused == nil {
                refused = (answer.code, step.statement)
                if unsafe PQstatus(handle) != CONNECTION_OK { throw lost(answer.code.isEmpty ? nil : step.statement) }
            }
        }
        if let refused { throw .refused(code: refused.code, statement: refused.statement) }
        return results
    }

    /// Writes and reads until there is a result to take.
    private func wait(until end: Int64, _ refused: Int?) throws(PostgresSetback) {
        while true {
            if unsafe PQisBusy(handle) == 0 { return }
            let unwritten = unsafe PQflush(handle)
            guard unwritten >= 0 else { throw lost(refused) }
            let left = end - Self.milliseconds
            guard left > 0 else { throw .lost("it doesn't answer", statement: refused) }
            var waits = [
                pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN) | (unwritten > 0 ? Int16(POLLOUT) : 0), revents: 0)
            ]
            do throws(SystemError) { _ = try polled(&waits, milliseconds: Int32(left)) } catch { throw lost(refused) }
            if waits[0].revents & ~Int16(POLLOUT) != 0, unsafe PQconsumeInput(handle) == 0 {
                // The server's last words may have arrived together with its end.
                if unsafe PQisBusy(handle) == 0 { return }
                throw lost(refused)
            }
        }
    }

    private func lost(_ statement: Int?) -> PostgresSetback { .lost("the connection ended", statement: statement) }

    private static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A statement's rows.
@safe final class PostgresResult {
    private let result: OpaquePointer

    @unsafe fileprivate init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    /// PostgreSQL's code of a refusal; empty if the connection ended without one.
    fileprivate var code: String {
        unsafe PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { unsafe String(cString: $0) } ?? ""
    }

    var count: Int32 { unsafe PQntuples(result) }

    func isNull(_ row: Int32, _ column: Int32) -> Bool { unsafe PQgetisnull(result, row, column) == 1 }

    func bytes(_ row: Int32, _ column: Int32) -> [UInt8] {
        let start = unsafe UnsafeRawPointer(PQgetvalue(result, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column))))
    }

    func text(_ row: Int32, _ column: Int32) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    func integer(_ row: Int32, _ column: Int32) -> Int64 {
        Int64(bitPattern: bytes(row, column).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
