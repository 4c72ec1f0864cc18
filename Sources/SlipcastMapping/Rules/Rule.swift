public import SlipcastV2
internal import SlipcastWire

/// How a V2 field relates to its legacy source.
public enum Relation: String, CaseIterable, Hashable, Sendable {
  /// The same name, type and meaning.
  case identical
  /// Another name or spelling of the value, the same meaning.
  case renamed
  /// Another JSON type, the same meaning.
  case retyped
  /// V2 says more.
  case widened
  /// V2 says less, or V1 speaks of fewer cases.
  case narrowed
  /// Worked out from several V1 values.
  case derived
  /// No V2 field takes it.
  case legacyOnly
  /// No V1 field gives it.
  case serverOnly

  package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What a rule says each side means.
public struct Meaning: Hashable, Sendable {
  /// What V1 says.
  public var v1: String?
  /// What V2 says.
  public var v2: String?
  /// What StoreKit says on the device.
  public var storekit: String?
}

/// One rule about fields: which V1 values become which V2 value, and how.
public struct FieldRule: Sendable {
  /// `<family>.<V2 name>`, or `<family>.<V1 key>` for a rule without a V2 side.
  public var id: String
  /// The rule file: `transaction`, `renewal`, `notification`, `receipt`, `statuses`.
  public var family: String
  /// V1 keys, best first; a dotted one names another object: `responseBodyV1.bid`.
  public var from: [String]
  /// The V2 field, dotted below `data`; `nil` when V2 has no place for it.
  public var to: String?
  /// The transform; `nil` when nothing is written.
  public var using: String?
  /// How the two sides relate.
  public var relation: Relation
  /// How well it is known.
  public var confidence: Confidence
  /// What each side means.
  public var meaning: Meaning
  /// Traps, or why it is lost.
  public var note: String?
  /// Keys of `sources.json`, each with an optional locator, separated by `; `.
  public var source: String
  /// The era in which V2 got the field.
  public var since: String?
  /// What comparing needs to know.
  public var comparing = ComparingNotes()
}

extension FieldRule {
  /// How the value is made, in words; `nil` when nothing is written.
  package var how: String? { transform?.explanation }

  /// An inferred value of the field is what the absence of the V1 key usually means, and not read from the record.
  package var isAssumedWhereInferred: Bool { transform?.traits.contains(.assuming) ?? false }

  /// `nil` where it writes nothing, or names no transform that there is.
  var transform: Transform? { using.flatMap { Transform.all[$0] } }
}

/// A V2 type and subtype.
public struct EventName: Hashable, Sendable, CustomStringConvertible {
  /// `notificationType`; `*` stands for V1's own word.
  public var notificationType: String
  /// `subtype`.
  public var subtype: String?

  /// Names an event; an empty subtype, which encoders without absent values write, counts as absent.
  public init(notificationType: String, subtype: String? = nil) {
    (self.notificationType, self.subtype) = (notificationType, subtype?.isEmpty == true ? nil : subtype)
  }

  /// Reads what `description` writes, as rules spell events.
  package init(spelled text: String) {
    let parts = text.parts(at: "/", maxSplits: 1)
    self.init(notificationType: parts.first ?? "", subtype: parts.count > 1 ? parts[1] : nil)
  }

  /// It takes access back: a refund, or the end of Family Sharing.
  package var takesBack: Bool { Self.takesBack(notificationType) }

  package static func takesBack(_ notificationType: String?) -> Bool {
    [NotificationType.refund, .revoke].contains { $0.rawValue == notificationType }
  }

  /// It is the purchase or the renewal with which a period began.
  package var beginsPeriod: Bool {
    let types: [NotificationType] = [.didRenew, .subscribed, .offerRedeemed, .oneTimeCharge]
    return types.contains { $0.rawValue == notificationType } || subtype == Subtype.upgrade.rawValue
  }

  /// `TYPE/SUBTYPE`, or `TYPE` alone.
  public var description: String { subtype.map { "\(notificationType)/\($0)" } ?? notificationType }
}

/// One reading of an ambiguous event.
public struct Candidate: Hashable, Sendable {
  /// The event that it may have been.
  public var event: EventName
  /// What one would have to know to decide.
  public var needs: String
  /// The reading is a companion message, which belongs to this event and has no separate V2 message.
  public var isAbsorbed = false
  /// Conditions over archive facts, each of which settles the reading: names joined by ` + ` must all hold.
  public var settledBy: [String] = []
  /// Conditions over facts of the record, or over archive facts, each of which contradicts what the reading needs.
  public var disprovedBy: [String] = []
}

/// One row of the decision table that turns a V1 type into a V2 type and subtype.
public struct TypeRule: Sendable {
  /// `type.<V1 type>.<variant>`.
  public var id: String
  /// The V1 `notification_type`; `*` is any other than those that Apple documents.
  public var type: String
  /// Facts that must hold.
  public var all: [String]
  /// Facts that must not hold.
  public var none: [String]
  /// The V2 event.
  public var to: EventName
  /// All readings, the best first; empty unless ambiguous.
  public var candidates: [Candidate]
  /// True for a companion message that V2 never sends: `to` is the event it belongs to.
  public var isAbsorbed: Bool
  /// Other events that V2 may send for the same message.
  public var accepts: [EventName]
  /// What the event would be on the other side of the end of grace; `nil` where that end decides nothing.
  public var atGraceEnd: EventName?
  /// A finding to report, with its sentence.
  public var finding: (code: String, message: String)?
  /// How well it is known; `ambiguous` when there are candidates.
  public var confidence: Confidence
  /// Conditions over archive facts, each of which confirms `to`.
  public var settledBy: [String] = []
  /// Readings that only other messages of an archive can show, where the row itself has one.
  public var otherwise: [Candidate] = []
  /// Conditions over archive facts, each of which contradicts the row; a finding reports it.
  public var contradictedBy: [String] = []
  /// Conditions over archive facts, each of which makes other readings possible: the row `doubtedAs` applies then.
  public var doubtedBy: [String] = []
  /// The id of the row with the readings that are possible then; of the same type, and before this one.
  public var doubtedAs: String?
  /// The events that the row names: its candidates, or the one of a row that has none.
  var readings: [EventName] { candidates.isEmpty ? [to] : candidates.map(\.event) }
  /// The event and those of the candidates, which may repeat it.
  var events: [EventName] { [to] + candidates.map(\.event) }
  /// All events that the row names: those, and the others that V2 may send for the message.
  var named: [EventName] { events + accepts + otherwise.map(\.event) }
  /// The readings that other messages can settle: the candidates, or the other readings of a row that has one.
  var settleable: [Candidate] { candidates + otherwise }
  /// What each side means.
  public var meaning: Meaning
  /// The row in the summary of its type; rows that follow each other with the same text share a line there.
  package var brief: String?
  /// Traps.
  public var note: String?
  /// Keys of `sources.json`.
  public var source: String
}

/// A date at which Apple changed what messages mean.
public struct Era: Sendable {
  /// Kebab-case name, usable as `before:<id>` and `from:<id>` in the decision table.
  public var id: String
  /// The first day, `yyyy-MM-dd`, UTC.
  public var date: String
  /// Its first instant, milliseconds since 1970 UTC.
  public var milliseconds: Int64
  /// What changed.
  public var change: String
  /// What that means for the mapping.
  public var effect: String?
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String
}

/// A V2 event that V1 never sends, or that only its trace in an archive shows.
public struct ServerEvent: Sendable {
  /// `server.<TYPE>[.<SUBTYPE>]`, followed by the ownership type, environment, revocation type or member that it is
  /// limited to.
  public var id: String
  /// The event; the type `*` stands for any type, and without a subtype for any event.
  public var event: EventName
  /// How the trace is recognised in a subscription's events; `nil` for an event that leaves none.
  public var test: GapTest?
  /// The events that the trace may stand for; empty where it shows which.
  public var traced: [TracedEvent]
  /// V1 has messages for it: only an archive without them needs the trace.
  public var isSent: Bool
  /// V1 never sends it for purchases of that ownership; `nil` for all.
  public var inAppOwnershipType: String?
  /// V1 never sends it in that environment; `nil` for all.
  public var environment: String?
  /// V1 never sends it for transactions revoked in that way; `nil` for all.
  public var revocationType: String?
  /// V1 never sends it for transactions that have that member; `nil` for all.
  public var present: String?
  /// The closest trace it leaves in V1 bodies.
  public var trace: String
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String
}

extension ServerEvent {
  /// Stands for any notification type.
  package static let anyType = "*"
  /// The member that links a customer's history to an earlier one.
  package static let previousChain = "previousOriginalTransactionId"
  /// The member that subscriptions have.
  package static let expiry = "expiresDate"

  /// V1 shows something of it.
  package var leavesTrace: Bool { !trace.hasPrefix("None") }
  /// It holds whatever the event is about.
  package var isUnconditional: Bool {
    event.notificationType != Self.anyType && inAppOwnershipType == nil && environment == nil && revocationType == nil
      && present == nil
  }
}

/// How the trace of an event that V1 never sends is recognised.
public enum GapTest: String, CaseIterable, Hashable, Sendable {
  /// A period ends with auto-renew off and none follows.
  case lapse
  /// A period ends because the customer did not consent to a higher price.
  case priceLapse
  /// A grace period ends without recovery.
  case graceEnd
  /// An offer appears that no event reports.
  case offer
  /// The state of a price increase turns to accepted.
  case priceConsent
  /// The first period that Family Sharing gives.
  case familyAccess
  /// A period that Family Sharing gives again.
  case familyReturn
  /// The expiry of a known line item moves into the future.
  case `extension`
  /// A later purchase does not renew, and nothing shows why the period before it ended.
  case unknownLapse
  /// A period ends after the customer was asked to agree to a higher price, and nothing says that they did.
  case consentLapse
  /// A period follows another one without a break, and no message reports it.
  case renewal
  /// A list shows that Apple took a period back, and no message reports it.
  case refund
  /// The same of a period that Family Sharing gave.
  case revoke
}

/// How a StoreKit property relates to a V2 field.
public struct StoreKitRule: Sendable {
  /// `storekit.<property>`.
  public var id: String
  /// StoreKit's property.
  public var storekit: String
  /// The V2 field.
  public var v2: String
  /// What each side means.
  public var meaning: Meaning
  /// Values that correspond.
  public var values: [(storekit: String, v2: String)]
  /// Keys of `sources.json`.
  public var source: String
}

/// One word of the decision table.
public struct FactEntry: Sendable {
  /// The word as rules use it.
  public var name: String
  /// When it holds.
  public var meaning: String
  /// Keys of `sources.json`, where the word needs separate evidence.
  public var source: String?
  /// Of an archive fact its conditions: those of one row must hold.
  package var rows: [ArchiveFactRow] = []
}

/// One value of a vocabulary and what it means.
public struct ValueEntry: Sendable {
  /// The field.
  public var of: String
  /// The value as JSON.
  public var value: String
  /// `V1` or `V2`.
  public var vocabulary: String
  /// What it means.
  public var meaning: String
  /// Keys of `sources.json`.
  public var source: String

  /// Both are about the same value.
  func isOf(_ other: ValueEntry) -> Bool { (of, value, vocabulary) == (other.of, other.value, other.vocabulary) }
}

/// Where knowledge comes from.
public struct Source: Sendable {
  /// The short key that rules use.
  public var key: String
  /// The document's title.
  public var title: String
  /// Its address; `nil` for something observed that has no page.
  public var url: String?
  /// What completes the address: `name` the V2 name in question, `locator` the citation's locator; `nil` nothing.
  public var pages: String?
}
