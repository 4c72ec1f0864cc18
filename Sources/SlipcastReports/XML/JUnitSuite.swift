/// A test case of a JUnit file.
struct JUnitCase {
  /// What became of it.
  enum Outcome {
    /// All is well; words where there is something to say.
    case passed(String?)
    /// It does not count, for a reason.
    case skipped(String)
    /// It does not hold: one line, one word, and the whole story.
    case failed(message: String, type: String, details: String)
  }

  let name: String
  let className: String
  let outcome: Outcome

  var isFailed: Bool {
    if case .failed = outcome { true } else { false }
  }
  var isSkipped: Bool {
    if case .skipped = outcome { true } else { false }
  }
}

/// The form that build servers read: one suite of test cases.
///
/// The elements and attributes are those of Jenkins' schema. There is no time and no host in it: the same result is the
/// same file.
struct JUnitSuite {
  /// The command that found it.
  let command: String
  /// What was compared.
  let name: String
  let cases: [JUnitCase]
  /// Names and values of what was compared, and how.
  var properties: [(name: String, value: String)] = []
  /// Words about the whole; empty for none.
  let output: String

  var text: String {
    let (tests, failures) = (String(cases.count), String(cases.count(where: \.isFailed)))
    let writer = XMLDocumentWriter()
    writer.element(
      "testsuites", ["name": command, "tests": tests, "failures": failures, "errors": "0", "time": "0"]
    ) {
      writer.element(
        "testsuite",
        [
          "name": name, "tests": tests, "failures": failures, "errors": "0",
          "skipped": String(cases.count(where: \.isSkipped)), "time": "0",
        ]
      ) {
        if !properties.isEmpty {
          writer.element("properties") {
            for property in properties { writer.element("property", ["name": property.name, "value": property.value]) }
          }
        }
        for test in cases { write(test, writer) }
        if !output.isEmpty { writer.element("system-out") { writer.text(output) } }
      }
    }
    return writer.finished()
  }

  private func write(_ test: JUnitCase, _ writer: XMLDocumentWriter) {
    writer.element("testcase", ["name": test.name, "classname": test.className, "time": "0"]) {
      switch test.outcome {
      case .passed(nil): break
      case .passed(let words?): writer.element("system-out") { writer.text(words) }
      case .skipped(let message): writer.element("skipped", ["message": message])
      case .failed(let message, let type, let details):
        writer.element("failure", ["message": message, "type": type]) { writer.text(details) }
      }
    }
  }
}
