package import SlipcastMapping

extension ValuesOfOtherKind {
  /// A note about them; `nil` without any.
  ///
  /// - Parameter place: what has them: `the second record`.
  package func note(_ place: String) -> Comparison.Note? {
    guard count > 0 else { return nil }
    let values = count == 1 ? "1 value of \(place) is" : "\(count) values of \(place) are"
    return Comparison.Note(
      code: "unexpectedKind", isWarning: false,
      message: "\(values) of another kind than Apple sends (a number or boolean as text, or the reverse): read all the "
        + "same (\(count == 1 ? "" : "the first one: ")\(path))")
  }
}
