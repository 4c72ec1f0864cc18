import CSlipcastXML
import SlipcastWire

// libxml2's pointers stay in this file; all of a document's nodes are freed with it.

/// An element of an HTML page or an XML document; libxml2 builds it and escapes all texts.
///
/// Valid only during the call of `html` or `xml` that made it.
package struct Markup {
  private let node: xmlNodePtr
  /// Longer texts are cut; `nil` for none.
  private let longest: Int?

  /// A whole page, with what the body puts into its root element.
  ///
  /// libxml2 adds the element that names the encoding, UTF-8, at the head's beginning.
  ///
  /// - Parameter longest: the characters of a text; more are cut, so that no value makes a page large.
  package static func html(longest: Int? = nil, _ body: (Markup) -> Void) -> String {
    let made = htmlNewDocNoDtD(nil, nil)
    return document("html", made, options: slipcast_save_as_html, longest: longest) { root, document in
      _ = allocated(xmlCreateIntSubset(document, "html", nil, nil))
      body(root)
    }
  }

  /// A whole document with its root element, indented.
  static func xml(_ name: String, _ body: (Markup) -> Void) -> String {
    document(name, xmlNewDoc("1.0"), options: slipcast_save_formatted) { root, _ in body(root) }
  }

  private static func document(
    _ root: String, _ made: @autoclosure () -> xmlDocPtr?, options: Int, longest: Int? = nil,
    _ body: (Markup, xmlDocPtr) -> Void
  ) -> String {
    precondition(isReady)
    let document = allocated(made())
    defer { xmlFreeDoc(document) }
    let node = allocated(xmlNewDocNode(document, nil, root, nil))
    xmlDocSetRootElement(document, node)
    body(Markup(node: node, longest: longest), document)
    let buffer = allocated(xmlBufferCreate())
    defer { xmlBufferFree(buffer) }
    let context = allocated(xmlSaveToBuffer(buffer, "UTF-8", Int32(options)))
    // Writing into memory fails only when memory runs out; a truncated report must not look complete.
    if xmlSaveDoc(context, document) < 0 || xmlSaveClose(context) < 0 { fatalError("no memory left for libxml2") }
    return String(cString: allocated(xmlBufferContent(buffer)))
  }

  package func set(_ name: String, _ value: String) {
    _ = Self.allocated(xmlNewProp(node, name, SafeText.words(value)))
  }

  /// Adds an element with attributes and, where given, text.
  @discardableResult
  package func add(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String? = nil) -> Markup {
    let child = Markup(node: Self.allocated(xmlNewChild(node, nil, name, nil)), longest: longest)
    for (name, value) in attributes { child.set(name, Self.words.contains(name) ? shortened(value) : value) }
    if let text { child.add(text: text) }
    return child
  }

  /// Adds text; characters that control a terminal, or that a page must not have, are replaced.
  package func add(text: String) { add(whole: shortened(text)) }

  /// Attributes with words; others are names, and addresses, which lead nowhere when they are cut.
  private static let words: Set<String> = ["aria-label", "title"]

  func shortened(_ text: String) -> String {
    guard let longest, text.utf8.count > longest, text.count > longest else { return text }
    return "\(text.prefix(longest))… (\(text.count.grouped) characters)"
  }

  /// Adds text, however long it is.
  package func add(whole text: String) {
    _ = Self.allocated(xmlAddChild(node, Self.allocated(xmlNewText(SafeText.lines(text)))))
  }

  /// Adds an element after a blank.
  @discardableResult
  package func append(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String? = nil) -> Markup
  {
    add(text: " ")
    return add(name, attributes, text: text)
  }

  /// Fills libxml2's tables once, before two threads could do so at the same time.
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// What libxml2 returns is missing only when memory is.
  private static func allocated<Value>(_ value: Value?) -> Value {
    guard let value else { fatalError("no memory left for libxml2") }
    return value
  }
}
