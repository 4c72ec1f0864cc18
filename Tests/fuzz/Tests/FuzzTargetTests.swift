import Foundation
import SlipcastFuzzTargets
import SlipcastTestSupport
import Testing

/// What `make fuzz` tries for hours, tried for a moment: known inputs, and changes of them that come again each time.
@Suite struct FuzzTargetTests {
  static let regressions = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("regressions")

  @Test(arguments: FuzzTarget.all.map(\.name))
  func everySeedAndSomeChangesOfItHoldWhatTheTargetSays(_ name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    try await Aside.run { try Self.trySeeds(of: target) }
  }

  private static func trySeeds(of target: FuzzTarget) throws {
    let body = try target.make()
    let seeds = try target.seeds()
    #expect(seeds.count > 2)
    var mutator = Mutator(seed: UInt64(target.name.utf8.count), words: target.words)
    let step = max(1, seeds.count / 8)
    for place in stride(from: 0, to: seeds.count, by: step) where seeds[place].count <= target.limit {
      try seeds[place].withUnsafeBufferPointer(body)
      let other = seeds[(place + step) % seeds.count]
      for _ in 0..<3 { try mutator.mutated(seeds[place], other).withUnsafeBufferPointer(body) }
    }
  }

  @Test func seedsOfRuleFilesHoldOneRuleEach() throws {
    let target = try #require(FuzzTarget.all.first { $0.name == "rules" })
    let seeds = try target.seeds()
    #expect(seeds.count > 60)
    for seed in seeds {
      #expect(seed.count <= target.limit / 2)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(seed)) }
    }
  }

  /// Inputs that once broke something: each is in the folder of its target.
  @Test(arguments: Folder.names(regressions.path))
  func nothingThatWasFoundComesBack(_ name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name }, "no target is called \(name)")
    try await Aside.run { try Self.tryRegressions(of: target) }
  }

  @Test func targetsThatRunAtOnceHaveFilesOfTheirOwn() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<500 {
        #expect(throws: Never.self) { _ = try MemoryFile() }
      }
    }
  }

  private static func tryRegressions(of target: FuzzTarget) throws {
    let body = try target.make()
    let folder = regressions.appendingPathComponent(target.name)
    let names = Folder.names(folder.path)
    #expect(!names.isEmpty)
    for name in names {
      try Array(try Data(contentsOf: folder.appendingPathComponent(name))).withUnsafeBufferPointer(body)
    }
  }
}

/// Runs what waits for tasks where it keeps none of them from being started.
private enum Aside {
  static func run(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let thread = Thread { done.resume(with: Result(catching: work)) }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
