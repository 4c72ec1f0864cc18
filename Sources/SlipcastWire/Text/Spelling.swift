extension String {
  /// True for the same bytes: `==` also treats canonically equivalent Unicode texts as equal.
  package func isSameSpelling(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
