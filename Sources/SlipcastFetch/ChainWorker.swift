internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastNetwork
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Requests page after page of one customer at a time; belongs to one task.
final class ChainWorker {
  private let ledger: FetchLedger
  private let client: ServerClient
  private let limits: FetchLimits
  private let options: FetchOptions
  private let checkpoint: FetchCheckpoint
  private let reader: PageReader

  /// The most pages of a chain; 20 transactions or notifications are on each.
  ///
  /// No customer has more of them. The notifications of an app may be many.
  private var mostPages: Int { options.endpoint == .notifications ? 10_000_000 : 100_000 }
  private static let mostEmptyPages = 100
  private static let mostRestarts = 5

  init(
    _ ledger: FetchLedger, _ client: ServerClient, _ limits: FetchLimits, _ options: FetchOptions,
    _ checkpoint: FetchCheckpoint, _ rules: RuleSet
  ) {
    (self.ledger, self.client, self.limits) = (ledger, client, limits)
    (self.options, self.checkpoint) = (options, checkpoint)
    reader = PageReader(ledger.list, options, rules: rules)
  }

  /// The state of the chain, and what is not noted yet.
  struct State {
    let job: FetchLedger.Job
    var environment: Environment
    var others: [Environment]
    var page: Int
    var cursor: String?
    var sequence: Int
    var restarts: Int
    var requests = 0
    var retries = 0
    /// Empty pages in a row, after which the server announced more.
    var empties = 0
    /// Another environment has answered already.
    var hasAnswer: Bool
    /// The events of the last response.
    var events: [FetchEvent.Noted] = []

    init(_ job: FetchLedger.Job) {
      self.job = job
      (environment, others, page, cursor) = (job.chain.environment, job.chain.others, job.chain.page, job.chain.cursor)
      (sequence, restarts) = (job.chain.sequence, job.chain.restarts)
      hasAnswer = job.chain.restarts > 0
    }
  }

  private enum Step { case goOn, done }

  /// Works on a chain until it ends, or the run does.
  func run(_ job: FetchLedger.Job) async {
    var state = State(job)
    while await !ledger.hasEnded {
      let reply: ServerClient.Reply
      do throws(ServerAPIError) {
        reply = try await client.send(call(state), limiter: limits[state.environment])
      } catch {
        state.count(error.requests)
        if await take(error, &state) == .done { return }
        continue
      }
      state.count(reply.requests)
      let question = PageReader.Question(
        customer: job.customer, bundleId: job.bundleId, environment: state.environment, page: state.page + 1)
      do throws(PageFault) {
        let page = try reader.read(reply.body, question)
        if await take(page, &state) == .done { return }
      } catch {
        state.note(.reject, reader.reject(error, question, input: reply.body).line)
        state.note(.end(outcome: .failed, code: nil, message: error.message))
        await ledger.note(state.takeEvents())
        return
      }
    }
  }

  private func call(_ state: State) -> ServerClient.Call {
    let (customer, endpoint) = (state.job.customer, options.endpoint)
    var call = ServerClient.Call(
      server: options.server(state.environment), path: endpoint.path(id: customer.id ?? "", cursor: state.cursor),
      bundleId: state.job.bundleId)
    if endpoint == .notifications {
      let times = options.times(
        state.environment, now: Timestamp(milliseconds: checkpoint.begin), after: state.job.chain.earlier?.until)
      call.body = NotificationWindow(times: times, id: customer.id).json
    }
    return call
  }

  // MARK: results

  private func take(_ page: Page, _ state: inout State) async -> Step {
    let before = state.cursor
    for reject in page.rejects { state.note(.reject, reject.line) }
    state.page += 1
    state.cursor = page.cursor ?? state.cursor
    let known = FetchEvent.PageState(
      page: state.page, cursor: state.cursor, covers: page.covers, events: page.events, isEmpty: page.isEmpty,
      digest: page.digest)
    state.note(.page(known), page.lines)
    // Both environments may have sent notifications about an id.
    let isFollowed = options.endpoint == .notifications && !page.hasMore && !state.others.isEmpty
    state.empties = page.isEmpty && page.hasMore ? state.empties + 1 : 0
    let stuck = page.hasMore ? fault(page, before, state) : nil
    if let stuck {
      state.note(.end(outcome: .failed, code: nil, message: "the server announces more pages, \(stuck)"))
    } else if isFollowed {
      (state.environment, state.page, state.cursor) = (state.others.removeFirst(), 0, nil)
      state.hasAnswer = true
      state.note(.restart)
    } else if !page.hasMore {
      state.note(.end(outcome: .found, code: nil, message: ""))
    }
    await ledger.note(state.takeEvents())
    return page.hasMore && stuck == nil || isFollowed ? .goOn : .done
  }

  /// Why the page that the server announces is not requested.
  private func fault(_ page: Page, _ before: String?, _ state: State) -> String? {
    if page.cursor == nil || page.cursor == before { return "and the response has no new revision or paginationToken" }
    if state.empties >= Self.mostEmptyPages { return "and the last \(state.empties) were empty" }
    if state.page >= mostPages { return "after \(state.page) of them" }
    return nil
  }

  private func take(_ error: ServerAPIError, _ state: inout State) async -> Step {
    if await ledger.hasEnded { return .done }
    switch (error.reason, error.code) {
    case (.unauthorized, _), (.signing, _), (.unreachable(isHopeless: true), _):
      await ledger.fail(error)
      return .done
    case (_, .transactionIdNotFound) where !state.others.isEmpty && state.page == 0:
      state.environment = state.others.removeFirst()
      return .goOn
    case (_, .invalidRequestRevision) where state.cursor != nil && state.restarts < Self.mostRestarts,
      (_, .paginationTokenExpired) where state.cursor != nil && state.restarts < Self.mostRestarts:
      state.note(.restart)
      await ledger.note(state.takeEvents())
      (state.page, state.cursor) = (0, nil)
      state.restarts += 1
      return .goOn
    case (_, .transactionIdNotFound), (_, .accountNotFound), (_, .appNotFound), (_, .originalTransactionIdNotFound),
      (_, .appTransactionDoesNotExist):
      let isKnown = options.endpoint == .notifications && state.hasAnswer
      state.note(.end(outcome: isKnown ? .found : .notFound, code: error.codeNumber, message: error.message))
    default:
      state.note(.end(outcome: .failed, code: error.codeNumber, message: error.message))
    }
    await ledger.note(state.takeEvents())
    return .done
  }
}

extension ChainWorker.State {
  /// Counts the requests for one response.
  fileprivate mutating func count(_ sent: Int) {
    requests += sent
    retries += max(0, sent - 1)
  }

  /// Adds an event of the last response.
  fileprivate mutating func note(_ kind: FetchEvent.Kind, _ lines: [UInt8] = []) {
    sequence += 1
    let event = FetchEvent(
      customer: job.number, sequence: sequence, environment: environment, requests: requests, retries: retries,
      kind: kind)
    (requests, retries) = (0, 0)
    events.append((event, lines))
  }

  /// Removes the events of the last response.
  fileprivate mutating func takeEvents() -> [FetchEvent.Noted] {
    defer { events = [] }
    return events
  }
}

extension Reject {
  /// The reject as a line of JSON.
  fileprivate var line: [UInt8] {
    var bytes: [UInt8] = []
    withLine { bytes = Array($0) }
    return bytes
  }
}
