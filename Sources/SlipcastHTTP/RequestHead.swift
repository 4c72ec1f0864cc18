/// What is known of a request before its body.
package struct RequestHead: Sendable {
  package var method: String
  /// The path, with `%XX` replaced by the characters that it stands for.
  package var path: String
  /// The value of `Host`; `nil` without one.
  package var host: String?
  /// The value of `Authorization`.
  package var authorization: String?
  /// The value of `Cookie`.
  package var cookie: String?
  /// The value of `Content-Encoding`, if the request has one.
  package var encoding: String?
  /// The length that the request states, in bytes.
  package var length: Int?
  /// The body comes in chunks, without a stated length.
  package var isChunked = false
  /// The client sends the body only when it is asked to (`Expect: 100-continue`).
  package var waits = false
  /// The address of the client, as text; empty when it is unknown.
  package var client: String
  /// Names and values after `?`, decoded, in their order; empty for a handler that reads none.
  package var query: [(name: String, value: String)] = []

  package init(method: String, path: String, client: String) {
    (self.method, self.path, self.client) = (method, path, client)
  }
}

/// A response: a status, headers, and a body.
package struct Answer: Sendable {
  package var status: Int
  package var type: String?
  package var body: [UInt8] = []
  package var headers: [(name: String, value: String)] = []

  package init(
    _ status: Int, type: String? = nil, body: [UInt8] = [], headers: [(name: String, value: String)] = []
  ) {
    (self.status, self.type, self.body, self.headers) = (status, type, body, headers)
  }
}
