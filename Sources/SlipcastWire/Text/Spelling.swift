extension String {
  /// True for the same bytes: `==` also takes texts for equal that Unicode counts as canonically equivalent.
  package func isSameSpelling(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
