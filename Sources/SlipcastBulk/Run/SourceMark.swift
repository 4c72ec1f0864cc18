internal import SlipcastDigest
package import SlipcastSystem

extension Checkpoint.SourceMark {
  private static let part = 64 << 10

  /// The identity of a source that has only a name.
  package init(name: String) { (self.name, bytes, sha256) = (name, nil, "") }

  package init(_ source: RecordSource) throws(FileError) {
    (name, bytes, sha256) = (source.name, nil, "")
    guard case .file(let file, _) = source, file != .standardInput, let size = Platform.size(file.path) else { return }
    let digest = SHA256Stream()
    try Self.hash(file, from: 0, digest)
    if size > Self.part { try Self.hash(file, from: max(size - Self.part, Self.part), digest) }
    (bytes, sha256) = (size, digest.hexadecimal)
  }

  private static func hash(_ file: InputFile, from offset: Int, _ digest: SHA256Stream) throws(FileError) {
    let stream = try FileBytes(file)
    guard stream.skip(to: offset) else { return }
    try stream.forEachPiece(upTo: part) { digest.add($0.span) }
  }
}

extension Checkpoint {
  /// A digest of what the run depends on: the names of its sources, its options and its rules.
  package var fingerprint: String { SHA256Stream.hexadecimal(of: [rules, options] + sources.map(\.name)) }

  /// Why a run with other sources, rules or options cannot be resumed from here; `nil` when it can.
  package func difference(from now: Checkpoint) -> String? {
    if rules != now.rules {
      return "other rules are in force (--mappings, or another version of slipcast)"
    }
    if sources.map(\.name) != now.sources.map(\.name) {
      let old = sources.map(\.name)
      let first = zip(old, now.sources.map(\.name)).first { $0 != $1 }
      let place = first.map { ": \($0) then, \($1) now" } ?? ": \(old.count) then, \(now.sources.count) now"
      return "the inputs are others" + place
    }
    if let (_, other) = zip(sources, now.sources).first(where: { $0 != $1 }) {
      return "the content of \(other.name) is not what it was"
    }
    if options != now.options { return "other options are given" }
    return nil
  }
}
