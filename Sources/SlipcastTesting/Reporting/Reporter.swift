import Foundation
import Testing
import XCTest

/// Tells a test framework what an expectation found.
package struct Reporter: Sendable {
  package enum Severity: Sendable {
    case failure
    case warning
  }

  package let report: @Sendable (String, Severity, CallSite) -> Void

  package init(_ report: @escaping @Sendable (String, Severity, CallSite) -> Void) { self.report = report }

  /// The framework whose test is running.
  package static let testFrameworks = Reporter { text, severity, site in
    // A detached task knows no test; where Swift Testing runs by itself it hears of the issue all the same, and XCTest
    // would not report it.
    guard Test.current == nil, !isSwiftTestingAlone else { return issue(text, severity, site) }
    switch severity {
    case .failure: XCTFail(text, file: site.filePath, line: site.line)
    case .warning: warn(text, site)
    }
  }

  private static func issue(_ text: String, _ severity: Severity, _ site: CallSite) {
    let place = SourceLocation(
      fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
    switch severity {
    case .failure: Issue.record(Comment(rawValue: text), sourceLocation: place)
    case .warning:
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: place)
      #else
        warn(text, site)
      #endif
    }
  }

  /// XCTest knows no warnings; this is the form in which compilers write them.
  private static func warn(_ text: String, _ site: CallSite) {
    FileHandle.standardError.write(Data("\(site.filePath):\(site.line): warning: \(text)\n".utf8))
  }

  /// `swift test` runs the tests of each framework in a separate process, and names the framework on its command line.
  private static let isSwiftTestingAlone: Bool = {
    let words = ProcessInfo.processInfo.arguments
    return zip(words, words.dropFirst()).contains { $0 == "--testing-library" && $1 == "swift-testing" }
  }()
}
