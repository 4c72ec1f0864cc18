import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Synchronization
import Testing
import XCTest

/// Issues reach the framework whose test is running.
@Suite struct SwiftTestingTests {
  @Test func aConflictIsOneIssueOfTheRunningTest() {
    let pair = Fixture.conflict
    let issues = Mutex(0)
    let line = #line + 2
    withKnownIssue {
      expectParity(legacy: pair.legacy, server: pair.server)
    } matching: { issue in
      issues.withLock { $0 += 1 }
      let text = issue.comments.map(\.rawValue).joined()
      return text.hasPrefix("1 of 51 fields conflicts: ") && issue.sourceLocation?.line == line
        && issue.sourceLocation?.fileID == #fileID
    }
    #expect(issues.withLock { $0 } == 1)
  }

  @Test func parityIsNoIssue() {
    let pair = Fixture.parity
    expectParity(legacy: pair.legacy, server: pair.server)
    expectConversion(
      Fixture.named("notifications/did-renew").legacy, equals: Fixture.named("notifications/did-renew").server)
  }

  #if compiler(>=6.3)
    @Test func aNeedlessRuleIsAWarningOnly() {
      let pair = Fixture.parity
      withKnownIssue {
        expectParity(legacy: pair.legacy, server: pair.server, ignoring: [IgnoreRule("data.x", because: "?")])
      } matching: {
        $0.severity == .warning
      }
    }
  #endif
}

/// XCTest, whose failures are caught while an expectation runs, so that they can be looked at.
final class XCTestTests: XCTestCase {
  private var caught: [(text: String, file: String, line: Int)] = []
  private var isCatching = false

  #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
      guard isCatching else { return super.record(issue) }
      let place = issue.sourceCodeContext.location
      caught.append((issue.compactDescription, place?.fileURL.path ?? "", place?.lineNumber ?? 0))
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard isCatching else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      caught.append((description, filePath, lineNumber))
    }
  #endif

  private func failures(_ body: () -> Void) -> [(text: String, file: String, line: Int)] {
    isCatching = true
    body()
    isCatching = false
    return caught
  }

  func testAConflictIsOneFailureAtTheCallersLine() throws {
    let pair = Fixture.conflict
    let line = #line + 1
    let failures = failures { expectParity(legacy: pair.legacy, server: pair.server) }
    XCTAssertEqual(failures.count, 1)
    let failure = try XCTUnwrap(failures.first)
    XCTAssertTrue(failure.text.contains("1 of 51 fields conflicts: data.renewalInfo.autoRenewStatus\n"), failure.text)
    XCTAssertEqual(failure.file, #filePath)
    XCTAssertEqual(failure.line, line)
  }

  func testParityIsNoFailureAndANeedlessRuleNeither() {
    let pair = Fixture.parity
    let failures = failures {
      expectParity(legacy: pair.legacy, server: pair.server, ignoring: [IgnoreRule("data.x", because: "?")])
    }
    XCTAssertTrue(failures.isEmpty, "\(failures)")
  }
}
