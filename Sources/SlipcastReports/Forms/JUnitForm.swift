import SlipcastWire

/// The form that build servers read: one suite of test cases.
///
/// The elements and attributes are those of Jenkins' schema. It contains no host, and no time but the one at which the
/// report was made.
struct JUnitForm {
  private let details = TextForm(ink: Ink(isColored: false), isVerbose: true)

  func text(_ document: ReportDocument) -> String {
    let tests = String(document.cases.count)
    let failures = String(document.cases.count { if case .failed = $0.outcome { true } else { false } })
    let skipped = String(document.cases.count { if case .skipped = $0.outcome { true } else { false } })
    return Markup.xml("testsuites") { root in
      root.set("name", document.command)
      for (name, value) in [("tests", tests), ("failures", failures), ("errors", "0"), ("time", "0")] {
        root.set(name, value)
      }
      let suite = root.add(
        "testsuite",
        [
          "name": document.name, "tests": tests, "failures": failures, "errors": "0", "skipped": skipped, "time": "0",
        ])
      add(document, sides: document.sides.map(\.label), suite)
      for test in document.cases { add(test, document.command, suite) }
      let notes = document.notes.map { "\($0.isWarning ? "warning" : "info"): \($0.message)\n" }.joined()
      if !notes.isEmpty { suite.add("system-out", text: notes) }
    }
  }

  private func add(_ document: ReportDocument, sides: [String], _ suite: Markup) {
    let origin = document.origin
    guard !origin.isEmpty else { return }
    let properties = suite.add("properties")
    for (place, fact) in origin.enumerated() {
      let isInput = sides.contains(fact.label)
      let about = fact.about.isEmpty ? "" : ": \(fact.about)"
      let value = isInput ? "\(fact.label) \(fact.name)\(about)" : fact.name
      properties.add("property", ["name": isInput ? "input.\(place + 1)" : fact.label, "value": value])
    }
    if !document.closing.isEmpty { properties.add("property", ["name": "made", "value": document.closing]) }
  }

  private func add(_ test: ReportCase, _ command: String, _ suite: Markup) {
    let className = "\(command.replacing(" ", with: ".")).\(test.kind)"
    let element = suite.add("testcase", ["name": test.name, "classname": className, "time": "0"])
    switch test.outcome {
    case .passed(""): break
    case .passed(let words): element.add("system-out", text: words)
    case .skipped(let message): element.add("skipped", ["message": message])
    case .failed(let message, let type, let blocks):
      element.add("failure", ["message": message, "type": type], text: details.text(blocks))
    }
  }
}
