@_spi(Slipcast) import SlipcastWire

/// Makes synthetic stored V1 notifications, for measuring only: shaped as Apple's, with values that mean nothing.
///
/// Every field has the kind and spelling that Apple documents and every date its true Pacific wall time, so reading
/// them gives no drift finding: what is measured is the path that nearly all real records take.
struct RecordGenerator {
  private var random: RandomSource
  private let isFat: Bool
  private let dates = DateSpeller()

  private static let types: [(weight: Int, name: StaticString)] = [
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

  /// Writes one notification and a line feed.
  mutating func write(to writer: JSONWriter) {
    let story = makeStory()
    writer.open()
    writer.field("notification_type", story.type)
    writer.field("environment", story.isSandbox ? "Sandbox" : "PROD")
    writer.field("bid", "com.example.app")
    writer.field("bvrs", "312")
    writer.name("password")
    writeText(32, among: "0123456789abcdef", to: writer)
    writer.field("auto_renew_product_id", story.nextProduct)
    writer.field("auto_renew_adam_id", "1234567890")
    writer.field("auto_renew_status", story.isRenewing ? "true" : "false")
    if story.type == "DID_CHANGE_RENEWAL_STATUS" {
      dates.write(.statusChange, story.end - 3_600_000, to: writer)
    }
    writer.name("unified_receipt")
    writer.open()
    writer.field("environment", story.isSandbox ? "Sandbox" : "Production")
    writer.name("status")
    writer.integer(0)
    if isFat {
      writer.name("latest_receipt")
      writeText((4000 + 267 * story.count) / 4 * 4, among: Self.base64, to: writer)
    }
    writer.name("latest_receipt_info")
    writer.byte(UInt8(ascii: "["))
    for number in (0..<story.count).reversed() { writePeriod(number, of: story, to: writer) }
    writer.byte(UInt8(ascii: "]"))
    writer.name("pending_renewal_info")
    writer.byte(UInt8(ascii: "["))
    writeRenewal(of: story, to: writer)
    writer.raw("]}}\n")
  }

  /// What one subscription has been through, and the event that the notification reports.
  private struct Story {
    var type: StaticString
    var isSandbox: Bool
    var isRenewing: Bool
    var product: StaticString
    var nextProduct: StaticString
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
    let product: StaticString =
      isYearly ? "com.example.pro.yearly" : random.pick(["com.example.pro.monthly", "premium"])
    return Story(
      type: type, isSandbox: random.isOne(in: 50),
      isRenewing: type == "DID_CHANGE_RENEWAL_STATUS" ? random.isOne(in: 2) : !random.isOne(in: 8), product: product,
      nextProduct: type == "DID_CHANGE_RENEWAL_PREF" ? "com.example.basic.monthly" : product,
      original: 100_000_000_000_000 + Int64(random.below(900_000_000_000_000)),
      first: 1_580_000_000_000 + Int64(random.below(100_000_000)) * 1000, length: (isYearly ? 365 : 30) * Self.day,
      count: count, hasOffer: random.isOne(in: 16))
  }

  private mutating func pickType() -> StaticString {
    var rest = random.below(100)
    for type in Self.types {
      if rest < type.weight { return type.name }
      rest -= type.weight
    }
    return "DID_RENEW"
  }

  private mutating func writePeriod(_ number: Int, of story: Story, to writer: JSONWriter) {
    let start = story.first + Int64(number) * story.length
    writer.open()
    writer.field("quantity", "1")
    writer.field("product_id", story.product)
    writer.field("transaction_id", digits: story.original + Int64(number) * 7)
    writer.field("original_transaction_id", digits: story.original)
    dates.write(.purchase, start, to: writer)
    dates.write(.originalPurchase, story.first, to: writer)
    dates.write(.expires, start + story.length, to: writer)
    writer.field("web_order_line_item_id", digits: story.original / 3 + Int64(number))
    writer.field("is_trial_period", number == 0 && !story.hasOffer ? "true" : "false")
    writer.field("is_in_intro_offer_period", "false")
    if number == 0, story.hasOffer { writer.field("offer_code_ref_name", "spring") }
    writer.field("in_app_ownership_type", "PURCHASED")
    writer.field("subscription_group_identifier", "20675121")
    if number == story.count - 1, story.type == "CANCEL" || story.type == "REFUND" {
      dates.write(.cancellation, start + story.length - Self.day, to: writer)
      writer.field("cancellation_reason", random.isOne(in: 2) ? "1" : "0")
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private mutating func writeRenewal(of story: Story, to writer: JSONWriter) {
    writer.open()
    writer.field("auto_renew_product_id", story.nextProduct)
    writer.field("original_transaction_id", digits: story.original)
    writer.field("product_id", story.product)
    writer.field("auto_renew_status", story.isRenewing ? "1" : "0")
    if story.type == "PRICE_INCREASE_CONSENT" {
      writer.field("price_consent_status", random.isOne(in: 2) ? "1" : "0")
    }
    if story.type == "DID_FAIL_TO_RENEW" {
      writer.field("is_in_billing_retry_period", "1")
      writer.field("expiration_intent", "2")
      if random.isOne(in: 3) { dates.write(.grace, story.end + 16 * Self.day, to: writer) }
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private static let base64: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// A text of random characters from an alphabet of 16 or 64.
  private mutating func writeText(_ count: Int, among alphabet: StaticString, to writer: JSONWriter) {
    let bits = UInt64(alphabet.utf8CodeUnitCount.trailingZeroBitCount)
    writer.byte(UInt8(ascii: "\""))
    var left = 0
    var word: UInt64 = 0
    for _ in 0..<count {
      if left == 0 { (word, left) = (random.next(), 10) }
      writer.byte(alphabet.utf8Start[Int(word & (1 << bits - 1))])
      word >>= bits
      left -= 1
    }
    writer.byte(UInt8(ascii: "\""))
  }
}
