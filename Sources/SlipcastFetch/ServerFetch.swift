internal import SlipcastBulk
package import SlipcastMapping
internal import SlipcastNetwork
package import SlipcastSignatures
internal import SlipcastV2
internal import SlipcastWire

/// Fetches what Apple's server holds about the customers of an archive.
package struct ServerFetch: Sendable {
  private let options: FetchOptions
  private let rules: RuleSet
  private let key: APIKey

  package init(_ options: FetchOptions, key: APIKey, rules: RuleSet) {
    (self.options, self.key, self.rules) = (options, key, rules)
  }

  /// Sends all requests and writes the responses, in the order of the customers.
  ///
  /// - Parameters:
  ///   - checkpoint: the state to resume from, or that of a new run.
  ///   - isEnding: true when the run must end early.
  ///   - watch: called about once a second with the customers that are done and the counts so far.
  /// - Returns: the counts, and whether the run was ended early.
  /// - Throws: `ServerAPIError` where no request can succeed; `FileError` for files.
  package func run(
    _ list: CustomerList, to outputs: FetchOutputs, _ checkpoint: FetchCheckpoint,
    isEnding: @escaping @Sendable () -> Bool, watch: @escaping @Sendable (Int, FetchCounts) -> Void
  ) async throws -> (counts: FetchCounts, isInterrupted: Bool) {
    let ledger = try FetchLedger(list, options, outputs, checkpoint)
    try await ledger.begin()
    let client = ServerClient(key: key, options: options.client)
    // One limit that a user names holds for all requests together.
    let shared = options.rate.map { RateLimiter(rate: $0) }
    let limiters: [Environment: RateLimiter] = [
      .production: shared ?? RateLimiter(rate: options.endpoint.rate(isSandbox: false)),
      .sandbox: shared ?? RateLimiter(rate: options.endpoint.rate(isSandbox: true)),
    ]
    let workers = Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<options.connections {
          group.addTask {
            let worker = ChainWorker(ledger, client, limiters, options, checkpoint, rules)
            while let job = await ledger.job() { await worker.run(job) }
          }
        }
      }
    }
    let watcher = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(100))
        if isEnding() { await ledger.stop() }
        if await ledger.hasEnded {
          // Requests under way, and waits, end as well.
          client.end()
          workers.cancel()
        }
        await watch(Int(ledger.head), ledger.checkpoint.counts)
      }
    }
    await workers.value
    watcher.cancel()
    if let failure = await ledger.failure {
      // The state of a finished run is worth more than that of one that has received nothing.
      if await ledger.isUntouched, !checkpoint.isIncremental {
        await ledger.discard()
      } else {
        _ = try await ledger.finish(isInterrupted: true)
      }
      throw failure
    }
    let isInterrupted = await Int(ledger.head) < list.count
    return (try await ledger.finish(isInterrupted: isInterrupted), isInterrupted)
  }
}
