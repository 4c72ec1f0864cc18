/// What is known of a request before its body.
package struct RequestHead: Sendable {
  package var method: String
  package var path: String
  /// The value of `Content-Encoding`, if the request has one.
  package var encoding: String?
  /// The length that the request states, in bytes.
  package var length: Int?
  /// The address of the client, as text; empty when it is unknown.
  package var client: String
}

/// A response: a status, and for `GET` requests a body.
package struct Answer: Sendable {
  package var status: Int
  package var type: String?
  package var body: [UInt8] = []

  package init(_ status: Int, type: String? = nil, body: [UInt8] = []) {
    (self.status, self.type, self.body) = (status, type, body)
  }
}

/// Decides about requests; called by several threads at the same time.
package protocol RequestHandler: AnyObject, Sendable {
  /// The answer that does not depend on the body; `nil` when the body must be read.
  func answer(to head: RequestHead) -> Answer?
  /// The answer to a body that is longer than `maxBody`.
  func answer(tooLong head: RequestHead) -> Answer
  /// Handles a body; answers through the exchange, now or later.
  func take(_ body: [UInt8], _ head: RequestHead, _ exchange: Exchange)
  /// Counts connections that were ended because a head or a body took too long.
  func noteSlow(heads: Int, bodies: Int)
  /// Called for a request that was not HTTP, or had too long a head, and was answered with a status.
  func noteUnreadable(status: Int)
  /// The longest body that is read, in bytes.
  var maxBody: Int { get }
}
