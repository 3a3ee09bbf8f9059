/// What an outbox entry brings to the server.
enum OutboxKind: Int64 {
  /// Its text is that of the message row.
  case message = 0
  case edit = 1
  case delete = 2
  case reaction = 3
  case change = 4
}
