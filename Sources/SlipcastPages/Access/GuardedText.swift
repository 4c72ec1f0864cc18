/// A text from records that may be an id: only a `Redactor` reads it.
///
/// A page that is made of these cannot show an id that `--redact` hides, whatever is added to the page.
struct GuardedText: Sendable {
  private enum Part: Sendable {
    /// Words of the program, or a name that cannot be an id.
    case words(String)
    case id(String)
    case value(String, member: String)
  }

  private var parts: [Part]

  /// Words of the program, and what identifies no customer.
  init(words: String) { parts = [.words(words)] }

  /// An id of a customer, a purchase, a row or a source.
  init(id: String) { parts = [.id(id)] }

  /// A value of a record, by the path of the field that holds it.
  init(_ value: String, of path: String) { parts = [.value(value, member: Self.member(of: path))] }

  static func + (left: GuardedText, right: GuardedText) -> GuardedText {
    var both = left
    both.parts += right.parts
    return both
  }

  /// The name of the member that a path ends with: `transactionId` of `data.transactionInfo[0].transactionId`.
  static func member(of path: String) -> String {
    String(path.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
  }

  /// As a page shows it.
  func shown(by redactor: Redactor) -> String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .id(let id): redactor.shown(id)
      case .value(let value, let member): redactor.shown(value, of: member)
      }
    }.joined()
  }

  /// The page of the customer whose id it is; `nil` for another text.
  func customerPage(_ links: PageLinks) -> String? { id.flatMap { links.customer($0) } }

  /// The id as an address carries it, before it is encoded; `nil` for anything else.
  func sealed(by redactor: Redactor) -> String? { id.map { redactor.pseudonyms?.sealed($0) ?? $0 } }

  /// Somebody looks for it: by any part of what a page shows, or by the whole id.
  ///
  /// - Parameter text: in lowercase.
  func isFound(by text: String, _ redactor: Redactor) -> Bool {
    if id?.lowercased() == text { return true }
    return shown(by: redactor).lowercased().contains(text)
  }

  private var id: String? {
    if parts.count == 1, case .id(let id) = parts[0] { id } else { nil }
  }
}
