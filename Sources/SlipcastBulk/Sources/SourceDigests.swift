internal import Synchronization

/// Lengths and SHA-256 of the files that a run has read completely, by their indexes in the list of sources.
package final class SourceDigests: Sendable {
  package struct Digest: Hashable, Sendable {
    package var bytes: Int
    package var sha256: String
  }

  private let found = Mutex<[Int: Digest]>([:])

  package init() {}

  subscript(place: Int) -> Digest? {
    get { found.withLock { $0[place] } }
    set { found.withLock { $0[place] = newValue } }
  }

  package var all: [Int: Digest] { found.withLock { $0 } }
}
