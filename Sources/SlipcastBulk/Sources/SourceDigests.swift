internal import Synchronization

/// Lengths and SHA-256 of the files that a run has read completely, by their indexes in the list of sources.
package final class SourceDigests: Sendable {
  /// The identity of a file's content.
  package struct Digest: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    package var sha256: String
  }

  private let found = Mutex<[Int: Digest]>([:])

  package init() {}

  subscript(place: Int) -> Digest? {
    get { found.withLock { $0[place] } }
    set { found.withLock { $0[place] = newValue } }
  }

  /// All known digests.
  package var all: [Int: Digest] { found.withLock { $0 } }
}
