/// What is known of a request before its body.
struct RequestHead: Sendable {
  var method: String
  var path: String
  /// The value of `Content-Encoding`, if the request has one.
  var encoding: String?
  /// The length that the request states, in bytes.
  var length: Int?
  /// The body comes in chunks, without a stated length.
  var isChunked = false
  /// The client sends the body only when it is asked to (`Expect: 100-continue`).
  var waits = false
  /// The address of the client, as text; empty when it is unknown.
  var client: String
}

/// A response: a status, and for `GET` requests a body.
struct Answer: Sendable {
  var status: Int
  var type: String?
  var body: [UInt8] = []

  init(_ status: Int, type: String? = nil, body: [UInt8] = []) {
    (self.status, self.type, self.body) = (status, type, body)
  }
}
