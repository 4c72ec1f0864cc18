internal import SlipcastDigest
package import SlipcastWire

/// What a target is called in messages, logs, reports and states: it can only be printed without a password.
///
/// It is made from a location that masks itself, or from the path of a file that cannot be a location.
package struct MaskedName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  private init(_ description: String) { self.description = description }

  /// The name of a stream.
  package static let nothing = MaskedName("")

  /// - Parameters:
  ///   - word: what the location is used for, before it.
  ///   - number: distinguishes locations that differ in what is masked; 1 for the first one.
  package init(_ location: some MaskedLocation, after word: StaticString = "", number: Int = 1) {
    self.init("\(word)\(location)" + (number > 1 ? " (\(number))" : ""))
  }

  /// A path that looks like a location may have a password anywhere, so nothing of it is shown but a digest.
  package init(path: String) {
    let digest = SHA256Stream.hexadecimal(of: Array(path.utf8)).prefix(8)
    self.init(LocationWords.isLike(path) ? "file \(digest), whose name looks like a location" : path)
  }
}
