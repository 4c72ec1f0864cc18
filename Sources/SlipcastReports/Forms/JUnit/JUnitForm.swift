import SlipcastWire

/// The form that build servers read: one suite of test cases.
///
/// The elements and attributes are those of Jenkins' schema. It contains no time and no host: the same result is the same
/// file.
struct JUnitForm {
  func text(_ document: ReportDocument) -> String {
    let cases = document.cases
    let failures = cases.count {
      if case .failed = $0.outcome { true } else { false }
    }
    let skipped = cases.count {
      if case .skipped = $0.outcome { true } else { false }
    }
    let (tests, failed) = (String(cases.count), String(failures))
    let writer = XMLDocumentWriter()
    writer.element(
      "testsuites", ["name": document.command, "tests": tests, "failures": failed, "errors": "0", "time": "0"]
    ) {
      writer.element(
        "testsuite",
        [
          "name": document.name, "tests": tests, "failures": failed, "errors": "0", "skipped": String(skipped),
          "time": "0",
        ]
      ) {
        properties(document, writer)
        for test in cases { write(test, document.command, writer) }
        let notes = document.notes.map { "\($0.isWarning ? "warning" : "info"): \($0.message)\n" }.joined()
        if !notes.isEmpty { writer.element("system-out") { writer.text(notes) } }
      }
    }
    return writer.finished()
  }

  private func properties(_ document: ReportDocument, _ writer: XMLDocumentWriter) {
    guard !document.origin.isEmpty else { return }
    let sides = Set(document.sides.map(\.label))
    writer.element("properties") {
      for (place, fact) in document.origin.enumerated() {
        let isInput = sides.contains(fact.label)
        let about = fact.about.isEmpty ? "" : ": \(fact.about)"
        let value = isInput ? "\(fact.label) \(fact.name)\(about)" : fact.name
        writer.element("property", ["name": isInput ? "input.\(place + 1)" : fact.label, "value": value])
      }
    }
  }

  private func write(_ test: ReportCase, _ command: String, _ writer: XMLDocumentWriter) {
    let className = "\(command.replacing(" ", with: ".")).\(test.kind)"
    writer.element("testcase", ["name": test.name, "classname": className, "time": "0"]) {
      switch test.outcome {
      case .passed(""): break
      case .passed(let words): writer.element("system-out") { writer.text(words) }
      case .skipped(let message): writer.element("skipped", ["message": message])
      case .failed(let message, let type, let details):
        let text = TextForm(ink: Ink(isColored: false), isVerbose: true)
        writer.element("failure", ["message": message, "type": type]) { writer.text(text.text(details)) }
      }
    }
  }
}
