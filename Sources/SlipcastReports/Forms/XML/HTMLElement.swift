import CSlipcastXML

/// An element of an HTML page that libxml2 builds, and escapes whatever it is given.
///
/// Lives no longer than the call of `page` that made it.
struct HTMLElement {
  private let node: xmlNodePtr

  /// A whole page, with what the body puts into its root element.
  ///
  /// libxml2 adds the element that names the encoding, UTF-8, at the head's beginning.
  static func page(_ body: (HTMLElement) -> Void) -> String {
    precondition(LibXML.isReady)
    let document = LibXML.allocated(htmlNewDocNoDtD(nil, nil))
    defer { xmlFreeDoc(document) }
    _ = LibXML.allocated(xmlCreateIntSubset(document, "html", nil, nil))
    let root = LibXML.allocated(xmlNewDocNode(document, nil, "html", nil))
    xmlDocSetRootElement(document, root)
    body(HTMLElement(node: root))
    let buffer = LibXML.allocated(xmlBufferCreate())
    defer { xmlBufferFree(buffer) }
    let context = LibXML.allocated(xmlSaveToBuffer(buffer, "UTF-8", Int32(slipcast_save_as_html)))
    LibXML.written(xmlSaveDoc(context, document))
    LibXML.written(xmlSaveClose(context))
    return String(cString: LibXML.allocated(xmlBufferContent(buffer)))
  }

  /// Sets an attribute.
  func set(_ name: String, _ value: String) { _ = LibXML.allocated(xmlNewProp(node, name, value)) }

  /// Adds an element with attributes and, where given, text.
  @discardableResult
  func add(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String? = nil) -> HTMLElement {
    let child = HTMLElement(node: LibXML.allocated(xmlNewChild(node, nil, name, nil)))
    for (name, value) in attributes { child.set(name, value) }
    if let text { child.add(text: text) }
    return child
  }

  /// Adds a path that may break behind each step rather than within one.
  func add(path: String) {
    for (index, step) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      add("span", ["class": "step"], text: (index > 0 ? "." : "") + step)
    }
  }

  /// Adds text.
  func add(text: String) { _ = LibXML.allocated(xmlAddChild(node, LibXML.allocated(xmlNewText(text)))) }
}
