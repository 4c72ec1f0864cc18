/// Answers the requests of an `HTTPServer`; called by several threads at the same time.
package protocol HTTPHandler: AnyObject, Sendable {
  /// The longest body that is read, in bytes.
  var maxBody: Int { get }
  /// Whether `RequestHead.query` is needed.
  var readsQuery: Bool { get }
  /// The answer that does not depend on the body; `nil` when the body must be read.
  func answer(to head: RequestHead) -> Answer?
  func answer(tooLong head: RequestHead) -> Answer
  /// Memory for the body is used up for now.
  func answer(busy head: RequestHead) -> Answer
  /// - Parameter fault: what a proxy could read in another way.
  func answer(unclear fault: String, _ head: RequestHead) -> Answer
  /// Notes a request that was not HTTP, or had too long a head, and was answered with a status.
  func noteUnreadable(status: Int)
  /// Notes connections that were ended because a client took too long.
  func noteSlow(_ ended: ConnectionTable.Ended)
  /// Handles a body; answers through the exchange, now or later.
  func take(_ body: [UInt8], _ head: RequestHead, _ exchange: Exchange)
}
