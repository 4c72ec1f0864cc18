import SlipcastComparison
internal import SlipcastWire

/// One side's value of a field, as a person sees it.
enum ReportValue: Hashable, Sendable {
  /// JSON text.
  case json(String)
  /// Words in place of a value: nothing is there, or more than a line can show.
  case words(String)

  /// Nothing is there.
  static let absent = ReportValue.words("absent")
  /// An array or object.
  static let several = ReportValue.words("list or object")

  /// A value that could hold a secret.
  static let withheld = ReportValue.words("not shown")

  /// The value of one side; `nil` is absent.
  init(_ value: ComparedValue?) {
    switch value {
    case nil: self = .absent
    case .json(let text): self = .json(SafeText.json(text))
    case .several: self = .several
    case .withheld: self = .withheld
    }
  }

  /// The text, whole.
  var text: String {
    switch self {
    case .json(let text), .words(let text): text
    }
  }

  /// The text in so many characters; what is left out shows as `…`.
  ///
  /// - Parameter start: The character that must not be cut away at the left.
  func cut(to width: Int, showing start: Int = 0) -> String {
    let text = text
    guard text.count > width else { return text }
    // A difference far to the right would be lost: then the beginning goes, but for a few characters before it.
    let isFar = start > width * 2 / 3
    let rest = isFar ? "…" + text.dropFirst(start - width / 3) : text
    return rest.count > width ? rest.prefix(width - 1) + "…" : rest
  }
}
