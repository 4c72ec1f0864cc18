internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastNetwork
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Requests page after page of one customer at a time; belongs to one task.
final class ChainWorker {
  private let ledger: FetchLedger
  private let client: ServerClient
  private let limiters: [Environment: RateLimiter]
  private let options: FetchOptions
  private let checkpoint: FetchCheckpoint
  private let reader: PageReader

  /// The most pages of a chain; 20 transactions or notifications are on each.
  ///
  /// No customer has more of them. The notifications of an app may be many.
  private var mostPages: Int { options.endpoint == .notifications ? 10_000_000 : 100_000 }
  private static let mostEmptyPages = 100

  init(
    _ ledger: FetchLedger, _ client: ServerClient, _ limiters: [Environment: RateLimiter], _ options: FetchOptions,
    _ checkpoint: FetchCheckpoint, _ rules: RuleSet
  ) {
    (self.ledger, self.client, self.limiters) = (ledger, client, limiters)
    (self.options, self.checkpoint) = (options, checkpoint)
    reader = PageReader(ledger.list, options, rules: rules)
  }

  private enum Step { case goOn, done }

  /// Works on a chain until it ends, or the run does.
  func run(_ job: FetchLedger.Job) async {
    var job = job
    (job.refusals, job.hasAnswer) = (job.chain.restarts, job.chain.restarts > 0)
    while await !ledger.hasEnded {
      // What was sent for this request already is counted with its response.
      if job.requests == 0, await !ledger.goesOn(with: job.number) { return }
      if options.endpoint == .notifications { job.chain.start = times(job.chain).lowerBound.milliseconds }
      let reply: ServerClient.Reply
      do throws(ServerAPIError) {
        reply = try await client.send(call(job), limiter: limiters[job.chain.environment])
      } catch {
        job.count(error.requests)
        if await take(error, &job) == .done { return }
        continue
      }
      job.count(reply.requests)
      do throws(PageFault) {
        var page = try reader.read(reply.body, job)
        page.state.start = job.chain.start
        if await take(page, &job) == .done { return }
      } catch {
        job.note(.reject, reader.reject(error, job, input: reply.body).line)
        job.note(.end(outcome: .failed, code: nil, message: error.message))
        await ledger.note(job.takeEvents())
        return
      }
    }
  }

  private func call(_ job: FetchLedger.Job) -> ServerClient.Call {
    let (id, chain, endpoint) = (job.customer.id, job.chain, options.endpoint)
    var call = ServerClient.Call(
      server: options.server(chain.environment), path: endpoint.path(id: id ?? "", cursor: chain.cursor),
      bundleId: job.bundleId)
    if endpoint == .notifications {
      call.body = ServerEndpoint.body(times(chain), id: id)
    }
    return call
  }

  /// The times of a request for notifications; all pages of a window have the same.
  private func times(_ chain: FetchLedger.Chain) -> ClosedRange<Timestamp> {
    let times = options.times(
      chain.environment, now: Timestamp(milliseconds: checkpoint.begin), after: chain.earlier?.until,
      sentAt: .now)
    guard let start = chain.start, start < times.upperBound.milliseconds else { return times }
    return Timestamp(milliseconds: start)...times.upperBound
  }

  // MARK: results

  private func take(_ page: Page, _ job: inout FetchLedger.Job) async -> Step {
    let before = job.chain.cursor
    if page.isUnknownOrder {
      job.note(.end(outcome: .notFound, code: nil, message: "Apple knows no order of this app with this id"))
      await ledger.note(job.takeEvents())
      return .done
    }
    for reject in page.rejects { job.note(.reject, reject.line) }
    job.note(.page(page.state), page.lines)
    // Both environments may have sent notifications about an id.
    let isFollowed = options.endpoint == .notifications && !page.hasMore && !job.chain.others.isEmpty
    job.empties = page.state.isEmpty && page.hasMore ? job.empties + 1 : 0
    let stuck = page.hasMore ? fault(page.state, before, job.empties) : nil
    if let stuck {
      job.note(.end(outcome: .failed, code: nil, message: "the server announces more pages, \(stuck)"))
    } else if isFollowed {
      job.chain.environment = job.chain.others.removeFirst()
      job.hasAnswer = true
      job.note(.restart)
    } else if !page.hasMore {
      job.note(.end(outcome: .found, code: nil, message: ""))
    }
    await ledger.note(job.takeEvents())
    return page.hasMore && stuck == nil || isFollowed ? .goOn : .done
  }

  /// Why the page that the server announces is not requested.
  private func fault(_ page: FetchEvent.PageState, _ before: String?, _ empties: Int) -> String? {
    if page.cursor == nil || page.cursor == before { return "and the response has no new revision or paginationToken" }
    if empties >= Self.mostEmptyPages { return "and the last \(empties) were empty" }
    if page.page >= mostPages { return "after \(page.page) of them" }
    return nil
  }

  private func take(_ error: ServerAPIError, _ job: inout FetchLedger.Job) async -> Step {
    if await ledger.hasEnded { return .done }
    switch (error.reason, error.code) {
    case (.unauthorized, _), (.signing, _), (.unreachable(isHopeless: true), _):
      await ledger.fail(error)
      return .done
    case (_, .transactionIdNotFound) where !job.chain.others.isEmpty && job.chain.page == 0:
      job.chain.environment = job.chain.others.removeFirst()
      job.note(.move)
      await ledger.note(job.takeEvents())
      return .goOn
    case (_, .invalidRequestRevision) where job.mayRestart, (_, .paginationTokenExpired) where job.mayRestart:
      job.refusals += 1
      job.note(.restart)
      await ledger.note(job.takeEvents())
      return .goOn
    case (_, .transactionIdNotFound), (_, .accountNotFound), (_, .appNotFound), (_, .originalTransactionIdNotFound),
      (_, .appTransactionDoesNotExist):
      let isKnown = options.endpoint == .notifications && job.hasAnswer
      // What was found on earlier pages is not all: the customer is neither found nor unknown.
      let outcome: FetchEvent.Outcome = isKnown ? .found : job.chain.page > 0 ? .failed : .notFound
      job.note(.end(outcome: outcome, code: error.codeNumber, message: error.message))
    default:
      job.note(.end(outcome: .failed, code: error.codeNumber, message: error.message))
    }
    await ledger.note(job.takeEvents())
    return .done
  }
}

extension FetchLedger.Job {
  /// The server may refuse a cursor a few times.
  fileprivate var mayRestart: Bool { chain.cursor != nil && refusals < 5 }

  fileprivate mutating func count(_ sent: Int) {
    requests += sent
    retries += max(0, sent - 1)
  }

  fileprivate mutating func note(_ kind: FetchEvent.Kind, _ lines: [UInt8] = []) {
    let event = FetchEvent(
      customer: number, sequence: chain.sequence + 1, environment: chain.environment, requests: requests,
      retries: retries, kind: kind)
    (requests, retries) = (0, 0)
    chain.note(event)
    events.append((event, lines))
  }

  fileprivate mutating func takeEvents() -> [FetchEvent.Noted] {
    defer { events = [] }
    return events
  }
}

extension Reject {
  fileprivate var line: [UInt8] {
    var bytes: [UInt8] = []
    withLine { bytes = Array($0) }
    return bytes
  }
}
