import CSlipcastXML

// Unsafe on purpose, like the other file that speaks to libxml2: pointers stay in here, and both are freed together.

/// Writes an XML document with libxml2, which escapes whatever it is given.
final class XMLDocumentWriter {
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr

  init() {
    precondition(LibXML.isReady)
    buffer = LibXML.allocated(xmlBufferCreate())
    writer = LibXML.allocated(xmlNewTextWriterMemory(buffer, 0))
    xmlTextWriterSetIndent(writer, 1)
    xmlTextWriterSetIndentString(writer, "  ")
    LibXML.written(xmlTextWriterStartDocument(writer, "1.0", "UTF-8", nil))
  }

  deinit {
    xmlFreeTextWriter(writer)
    xmlBufferFree(buffer)
  }

  /// An element with attributes in the given order, and what the body writes inside.
  func element(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ body: () -> Void = {}) {
    LibXML.written(xmlTextWriterStartElement(writer, name))
    for (name, value) in attributes { LibXML.written(xmlTextWriterWriteAttribute(writer, name, value)) }
    body()
    LibXML.written(xmlTextWriterEndElement(writer))
  }

  /// Text inside the current element.
  func text(_ text: String) { LibXML.written(xmlTextWriterWriteString(writer, text)) }

  /// Closes the document.
  func finished() -> String {
    LibXML.written(xmlTextWriterEndDocument(writer))
    return String(cString: LibXML.allocated(xmlBufferContent(buffer)))
  }
}
