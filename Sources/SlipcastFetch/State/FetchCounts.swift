/// The counts of a run.
package struct FetchCounts: Sendable, Hashable {
  /// The ids that were asked about, or need not be.
  package var ids = 0
  /// Ids that Apple knows, and ids that the response for another id contains.
  package var found = 0
  package var notFound = 0
  package var failed = 0
  /// Of the found ones, those of the sandbox.
  package var sandbox = 0
  /// Requests that were sent, `retries` included.
  package var requests = 0
  package var retries = 0
  /// Lines of the output.
  package var lines = 0
  /// Responses, or notifications, that were not trusted.
  package var rejected = 0
  /// Found ids that were not asked about, because another response contains them.
  package var covered = 0
  /// Notifications that came twice.
  package var duplicate = 0
  /// Requests about all customers of an app that failed.
  package var failedWindows = 0

  package init() {}

  mutating func add(_ event: FetchEvent) {
    requests += event.requests
    retries += event.retries
  }

  static let names: [(String, any WritableKeyPath<FetchCounts, Int> & Sendable)] = [
    ("ids", \.ids), ("found", \.found), ("notFound", \.notFound), ("failed", \.failed), ("sandbox", \.sandbox),
    ("requests", \.requests), ("retries", \.retries), ("lines", \.lines), ("rejected", \.rejected),
    ("covered", \.covered), ("duplicate", \.duplicate), ("failedWindows", \.failedWindows),
  ]
}
