import SlipcastComparison
import SlipcastWire

/// One side's value of a field, as a person sees it.
enum ReportValue: Hashable, Sendable {
  case json(String)
  /// Words in place of a value: nothing is there, or more than a line can show.
  case words(String)

  /// Nothing is there.
  static let absent = ReportValue.words("absent")
  /// An array or object.
  static let several = ReportValue.words("list or object")

  /// The value of one side; `nil` is absent.
  init(_ value: ComparedValue?) {
    switch value {
    case nil: self = .absent
    case .json(let text): self = .json(SafeText.json(text))
    case .several: self = .several
    // It could be a secret.
    case .withheld: self = .words("not shown")
    }
  }

  var text: String {
    switch self {
    case .json(let text), .words(let text): text
    }
  }

  /// JSON text in so many characters; what is left out shows as `…`.
  ///
  /// - Parameter start: The character that must not be cut away at the left.
  func cut(to width: Int, showing start: Int = 0) -> String {
    guard case .json(let text) = self, text.count > width else { return text }
    // A difference far to the right would be lost: then the beginning goes, but for a few characters before it.
    let isFar = start > width * 2 / 3
    let rest = isFar ? "…" + text.dropFirst(start - width / 3) : text
    return rest.count > width ? rest.prefix(width - 1) + "…" : rest
  }

  /// The number of characters with which all JSON texts begin; 0 where they do not differ.
  static func sharedPrefix(_ values: [ReportValue]) -> Int {
    let texts = values.compactMap { value -> String? in
      if case .json(let text) = value { text } else { nil }
    }
    guard let first = texts.first, texts.contains(where: { $0 != first }) else { return 0 }
    return texts.dropFirst().map { text in zip(first, text).prefix { $0 == $1 }.count }.min() ?? 0
  }
}
