@_spi(Slipcast) import SlipcastWire

/// Makes synthetic stored V1 notifications, for measuring only: shaped as Apple's, with values that mean nothing.
///
/// Every field has the kind and spelling that Apple documents and every date its true Pacific wall time, so reading
/// them gives no drift finding: what is measured is the path that nearly all real records take.
struct RecordGenerator {
  private var random: RandomSource
  private let isFat: Bool
  private let daylight = DaylightTime()

  private static let types: [(weight: Int, name: String)] = [
    (58, "DID_RENEW"), (15, "DID_CHANGE_RENEWAL_STATUS"), (8, "INITIAL_BUY"), (6, "DID_FAIL_TO_RENEW"),
    (3, "DID_RECOVER"), (3, "CANCEL"), (2, "REFUND"), (2, "INTERACTIVE_RENEWAL"), (2, "PRICE_INCREASE_CONSENT"),
    (1, "DID_CHANGE_RENEWAL_PREF"),
  ]
  private static let counts = [1, 1, 2, 3, 6, 12, 24]
  private static let day: Int64 = 86_400_000

  init(seed: UInt64, isFat: Bool) {
    random = RandomSource(seed: seed)
    self.isFat = isFat
  }

  mutating func write(to writer: JSONWriter) {
    let story = makeStory()
    writer.object {
      writer.member("notification_type", story.type)
      writer.member("environment", story.isSandbox ? "Sandbox" : "PROD")
      writer.member("bid", "com.example.app")
      writer.member("bvrs", "312")
      writer.key("password")
      writeText(32, among: "0123456789abcdef", to: writer)
      writer.member("auto_renew_product_id", story.nextProduct)
      writer.member("auto_renew_adam_id", "1234567890")
      writer.member("auto_renew_status", story.isRenewing ? "true" : "false")
      if story.type == "DID_CHANGE_RENEWAL_STATUS" {
        writeDate("auto_renew_status_change_date", story.end - 3_600_000, to: writer)
      }
      writer.object("unified_receipt") { writeReceipt(of: story, to: writer) }
    }
    writer.byte(0x0A)
  }

  private mutating func writeReceipt(of story: Story, to writer: JSONWriter) {
    writer.member("environment", story.isSandbox ? "Sandbox" : "Production")
    writer.member("status", 0)
    if isFat {
      writer.key("latest_receipt")
      writeText((4000 + 267 * story.count) / 4 * 4, among: Self.base64, to: writer)
    }
    writer.list("latest_receipt_info", (0..<story.count).reversed()) { writePeriod($0, of: story, to: writer) }
    writer.list("pending_renewal_info", [story]) { writeRenewal(of: $0, to: writer) }
  }

  /// What one subscription has been through, and the event that the notification reports.
  private struct Story {
    var type: String
    var isSandbox: Bool
    var isRenewing: Bool
    var product: String
    var nextProduct: String
    var original: Int64
    var first: Int64
    var length: Int64
    var count: Int
    /// The customer came with an offer code.
    var hasOffer: Bool

    /// When the newest period ends.
    var end: Int64 { first + Int64(count) * length }
  }

  private mutating func makeStory() -> Story {
    let type = pickType()
    let isYearly = random.isOne(in: 12)
    var count = type == "INITIAL_BUY" ? 1 : random.pick(Self.counts)
    if isYearly { count = min(count, 4) }
    if type == "DID_RENEW" || type == "DID_RECOVER" || type == "INTERACTIVE_RENEWAL" { count = max(count, 2) }
    let product: String =
      isYearly ? "com.example.pro.yearly" : random.pick(["com.example.pro.monthly", "premium"])
    return Story(
      type: type, isSandbox: random.isOne(in: 50),
      isRenewing: type == "DID_CHANGE_RENEWAL_STATUS" ? random.isOne(in: 2) : !random.isOne(in: 8), product: product,
      nextProduct: type == "DID_CHANGE_RENEWAL_PREF" ? "com.example.basic.monthly" : product,
      original: 100_000_000_000_000 + Int64(random.below(900_000_000_000_000)),
      first: 1_580_000_000_000 + Int64(random.below(100_000_000)) * 1000, length: (isYearly ? 365 : 30) * Self.day,
      count: count, hasOffer: random.isOne(in: 16))
  }

  private mutating func pickType() -> String {
    var rest = random.below(100)
    for type in Self.types {
      if rest < type.weight { return type.name }
      rest -= type.weight
    }
    return "DID_RENEW"
  }

  private mutating func writePeriod(_ number: Int, of story: Story, to writer: JSONWriter) {
    let start = story.first + Int64(number) * story.length
    writer.member("quantity", "1")
    writer.member("product_id", story.product)
    writer.member("transaction_id", "\(story.original + Int64(number) * 7)")
    writer.member("original_transaction_id", "\(story.original)")
    writeDate("purchase_date", start, to: writer)
    writeDate("original_purchase_date", story.first, to: writer)
    writeDate("expires_date", start + story.length, to: writer)
    writer.member("web_order_line_item_id", "\(story.original / 3 + Int64(number))")
    writer.member("is_trial_period", number == 0 && !story.hasOffer ? "true" : "false")
    writer.member("is_in_intro_offer_period", "false")
    if number == 0, story.hasOffer { writer.member("offer_code_ref_name", "spring") }
    writer.member("in_app_ownership_type", "PURCHASED")
    writer.member("subscription_group_identifier", "20675121")
    if number == story.count - 1, story.type == "CANCEL" || story.type == "REFUND" {
      writeDate("cancellation_date", start + story.length - Self.day, to: writer)
      writer.member("cancellation_reason", random.isOne(in: 2) ? "1" : "0")
    }
  }

  private mutating func writeRenewal(of story: Story, to writer: JSONWriter) {
    writer.member("auto_renew_product_id", story.nextProduct)
    writer.member("original_transaction_id", "\(story.original)")
    writer.member("product_id", story.product)
    writer.member("auto_renew_status", story.isRenewing ? "1" : "0")
    if story.type == "PRICE_INCREASE_CONSENT" {
      writer.member("price_consent_status", random.isOne(in: 2) ? "1" : "0")
    }
    if story.type == "DID_FAIL_TO_RENEW" {
      writer.member("is_in_billing_retry_period", "1")
      writer.member("expiration_intent", "2")
      if random.isOne(in: 3) { writeDate("grace_period_expires_date", story.end + 16 * Self.day, to: writer) }
    }
  }

  /// A date in Apple's three spellings: Greenwich text, milliseconds, and Pacific wall time as it truly was.
  private func writeDate(_ name: String, _ milliseconds: Int64, to writer: JSONWriter) {
    let offset: Int64 = daylight.isObserved(at: milliseconds / 1000) ? 7 : 8
    writer.member(name, Self.clock(milliseconds) + " Etc/GMT")
    writer.member(name + "_ms", "\(milliseconds)")
    writer.member(name + "_pst", Self.clock(milliseconds - offset * 3_600_000) + " America/Los_Angeles")
  }

  /// Whole seconds as `2022-05-01 10:00:00`.
  private static func clock(_ milliseconds: Int64) -> String {
    String(Timestamp(milliseconds: milliseconds).description.dropLast()).replacing("T", with: " ")
  }

  private static let base64: String = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// A text of random characters from an alphabet of 16 or 64.
  private mutating func writeText(_ count: Int, among alphabet: String, to writer: JSONWriter) {
    let letters = Array(alphabet.utf8)
    let bits = UInt64(letters.count.trailingZeroBitCount)
    writer.byte(UInt8(ascii: "\""))
    var left = 0
    var word: UInt64 = 0
    for _ in 0..<count {
      if left == 0 { (word, left) = (random.next(), 10) }
      writer.byte(letters[Int(word & (1 << bits - 1))])
      word >>= bits
      left -= 1
    }
    writer.byte(UInt8(ascii: "\""))
  }
}
