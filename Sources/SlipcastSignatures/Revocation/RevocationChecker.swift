internal import SlipcastWire
internal import Synchronization

/// Checks certificates for revocation by OCSP (RFC 6960), each once.
///
/// A checker does not use the network itself: its owner passes a function that sends requests. Any number of verifiers
/// may share a checker.
public final class RevocationChecker: Sendable {
  /// Sends a request to a responder by POST, as `application/ocsp-request`; returns the body of the response.
  public typealias Transport = @Sendable (_ address: String, _ request: [UInt8]) throws -> [UInt8]

  /// What is known of one certificate.
  private final class Slot: Sendable {
    let answer = Mutex<OCSPExchange.Answer?>(nil)
  }

  private struct State {
    var slots: [String: Slot] = [:]
    /// Signed answers by the certificate's SHA-256, for the cache.
    var responses: [String: [UInt8]] = [:]
    var undetermined: Set<String> = []
  }

  private let transport: Transport
  private let state = Mutex(State())
  /// After how many seconds a certificate without an answer is asked about again; `nil`: never.
  private let retry: Double?

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - responses: what an earlier checker kept (`responses`); answers that are too old are not used.
  ///   - retry: after how many seconds a certificate without an answer is asked about again; `nil`: never.
  ///   - transport: sends the requests.
  public init(responses: [String: [UInt8]] = [:], retry: Double? = nil, transport: @escaping Transport) {
    (self.transport, self.retry) = (transport, retry)
    state.withLock { $0.responses = responses }
  }

  /// Signed answers by the SHA-256 of their certificates.
  public var responses: [String: [UInt8]] { state.withLock { $0.responses } }

  /// How many certificates have no usable answer.
  public var undetermined: Int { state.withLock { $0.undetermined.count } }

  /// Checks the signer's and the intermediate certificate of a chain.
  func check(_ chain: [Certificate]) throws(Refusal) -> RevocationStatus {
    var outcome = RevocationStatus.good
    for (place, certificate) in chain.dropLast().prefix(2).enumerated() {
      let status = status(of: certificate, issuer: chain[place + 1])
      if status == .revoked || status == .unknown {
        let reason: Refusal.Reason = status == .revoked ? .certificateRevoked : .certificateUnknown
        throw Refusal(reason, place == 0 ? "the signer's" : "the intermediate")
      }
      outcome = RevocationStatus.worse(outcome, status) ?? status
    }
    return outcome
  }

  /// What is known of a certificate; asks the responder at most once as long as its answer counts.
  public func status(of certificate: Certificate, issuer: Certificate) -> RevocationStatus {
    let key = certificate.sha256
    let slot = state.withLock { state in
      let slot = state.slots[key] ?? Slot()
      state.slots[key] = slot
      return slot
    }
    // Others that need the same certificate wait here.
    return slot.answer.withLock { known in
      let now = Timestamp.now
      if let answer = known, answer.until.map({ now <= $0 }) ?? true { return answer.status }
      var answer = find(certificate, issuer: issuer, key, now)
      if case .undetermined = answer.status {
        answer.until = retry.map { Timestamp(milliseconds: now.milliseconds + Int64($0 * 1000)) }
      }
      known = answer
      let isUndetermined = if case .undetermined = answer.status { true } else { false }
      state.withLock { state in
        if isUndetermined { state.undetermined.insert(key) } else { state.undetermined.remove(key) }
      }
      return answer.status
    }
  }

  private func find(
    _ certificate: Certificate, issuer: Certificate, _ key: String, _ now: Timestamp
  ) -> OCSPExchange.Answer {
    let exchange = OCSPExchange(certificate, issuer: issuer)
    if let kept = state.withLock({ $0.responses[key] }) {
      let answer = exchange.read(kept, now: now)
      guard case .undetermined = answer.status else { return answer }
      state.withLock { $0.responses[key] = nil }
    }
    var last = RevocationStatus.Cause.noResponder
    for address in exchange.addresses where address.hasPrefix("http://") || address.hasPrefix("https://") {
      // Responders that know only SHA-1 refuse the first request.
      for isOld in [false, true] {
        guard let request = exchange.request(isOld: isOld), let bytes = try? transport(address, request) else {
          last = .unreachable
          break
        }
        let answer = exchange.read(bytes, now: now)
        guard case .undetermined(let cause) = answer.status else {
          state.withLock { $0.responses[key] = bytes }
          return answer
        }
        last = cause
        guard cause == .unauthorized || cause == .malformed else { break }
      }
    }
    return OCSPExchange.Answer(status: .undetermined(last), until: nil)
  }
}

extension Verdict {
  /// Checks a chain for revocation and notes the outcome.
  ///
  /// - Throws: `Refusal` for a certificate that is revoked, or unknown to its issuer.
  package mutating func check(_ chain: [Certificate], _ checker: RevocationChecker?) throws(Refusal) {
    guard let checker else { return }
    do throws(Refusal) {
      revocation = try checker.check(chain)
    } catch {
      revocation = error.reason == .certificateRevoked ? .revoked : .unknown
      throw error
    }
  }
}
