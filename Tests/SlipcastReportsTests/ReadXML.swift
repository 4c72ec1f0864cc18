import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An XML document as lists of attributes by element, and all its text.
final class ReadXML: NSObject, XMLParserDelegate {
  private var elements: [String: [[String: String]]] = [:]
  private(set) var text = ""

  init(_ document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    try #require(parser.parse())
  }

  subscript(name: String) -> [[String: String]] { elements[name] ?? [] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) { elements[name, default: []].append(attributes) }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
