internal import Dispatch
internal import SlipcastStores
internal import SlipcastSystem
internal import Synchronization

/// The numbers of a whole store, counted in the background, and again when the store has grown.
final class OverviewCache: Sendable {
  private struct State {
    var overview: StoreOverview?
    /// Known before the numbers are; `nil` inside for a store without dates.
    var latest: Int64??
    var revision: Int64 = -1
    var checked = 0.0
    var isCounting = false
  }

  private let store: StoreLibrary
  private let note: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Seconds between two looks at whether the store has grown.
  private static let interval = 30.0
  /// Seconds that a page waits for the numbers.
  private static let patience = 3.0

  init(_ store: StoreLibrary, note: @escaping @Sendable (String) -> Void) { (self.store, self.note) = (store, note) }

  /// Begins to count, if there is something new.
  func prepare() {
    let now = Platform.seconds()
    let begins = state.withLock { state in
      guard !state.isCounting, state.overview == nil || now - state.checked > Self.interval else { return false }
      (state.isCounting, state.checked) = (true, now)
      return true
    }
    guard begins else { return }
    DispatchQueue.global(qos: .utility).async { self.count() }
  }

  private func count() {
    do {
      let known = state.withLock(\.revision)
      let revision = try store.read { try $0.revision() }
      guard revision != known else { return state.withLock { $0.isCounting = false } }
      // Every page of a customer states it: it must not wait for the numbers.
      let latest = try store.read { try $0.latest() }
      state.withLock { $0.latest = .some(latest) }
      let overview = try store.read { try $0.overview() }
      state.withLock { ($0.overview, $0.revision, $0.isCounting) = (overview, revision, false) }
    } catch {
      note("\(error)")
      state.withLock { $0.isCounting = false }
    }
  }

  /// The numbers; `nil` while they are counted for the first time.
  func overview() -> StoreOverview? { wait(atMost: Self.patience) { $0.overview } }

  /// The latest date of the store.
  func latest() -> Int64? { wait(atMost: .infinity) { $0.latest } ?? nil }

  /// What is known of the store; `nil` if it is not counted in so many seconds, or cannot be.
  private func wait<Value: Sendable>(atMost most: Double, _ known: (State) -> Value?) -> Value? {
    prepare()
    let end = Platform.seconds() + most
    while true {
      let (value, isCounting) = state.withLock { (known($0), $0.isCounting) }
      if value != nil || !isCounting || Platform.seconds() > end { return value }
      Platform.pause(0.01)
    }
  }
}
