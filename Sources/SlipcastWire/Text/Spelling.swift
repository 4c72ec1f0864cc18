extension String {
  /// True for the same bytes: `==` also treats canonically equivalent Unicode texts as equal.
  package func isSameSpelling(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// The parts between separators, which are ASCII; empty ones are left out.
  ///
  /// Each start reads hundreds of names in rules: splitting them by `Character` takes ten times as many instructions.
  package func parts(at separator: Unicode.Scalar, maxSplits: Int = .max) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: maxSplits).map { String(Substring($0)) }
  }
}
