internal import SlipcastHTTP
internal import SlipcastOutlets

/// The two addresses at which the server answers as Apple's old endpoint does.
struct ReceiptRoutes: Sendable {
  private static let paths: [String: VerifyReceiptService.Route] = [
    "/verifyReceipt": .production, "/sandbox/verifyReceipt": .sandbox,
  ]

  let service: VerifyReceiptService

  func route(_ head: RequestHead) -> VerifyReceiptService.Route? { Self.paths[head.path] }

  /// Answers a request whose body was read, now or when Apple has answered.
  func take(_ body: [UInt8], for route: VerifyReceiptService.Route, _ head: RequestHead, _ exchange: Exchange) {
    let isPost = head.method == "POST"
    guard service.asksApple else {
      return exchange.answer(Self.answer(service.answerAtOnce(body, on: route, isPost: isPost)))
    }
    exchange.suspend()
    Task { [service] in exchange.answer(Self.answer(await service.answer(body, on: route, isPost: isPost))) }
  }

  /// A request that is answered by its head: no body of it is a receipt.
  func refuse(tooLong head: RequestHead) -> Answer { Self.answer(service.refusal(.unreadable)) }

  private static func answer(_ answer: VerifyReceiptService.Answer) -> Answer {
    Answer(answer.status.http, type: "application/json", body: answer.json)
  }
}
