import Coffer
import CofferCoding

/// A page of a conversation as JSON, an entry a line.
enum TimelineJSON {
  static func print(_ page: TimelinePage, on output: Output) {
    for entry in page.entries where !output.hasFailed {
      output.json { line in
        switch entry {
        case .message(let message): line.object("message") { describe(message, &$0) }
        case .gap(let gap):
          line.object("gap") { json in
            json.member("first", gap.first)
            json.member("last", gap.last)
            json.member("unavailable", gap.isUnavailable)
          }
        case .unreadable(let event):
          line.object("unreadable") { json in
            json.member("seq", event.seq)
            json.member("sender", event.sender)
            json.member("id", event.eventID.description)
          }
        }
      }
    }
    output.json { line in
      if let older = page.older { line.member("older", older.text) } else { line.null("older") }
    }
  }

  static func describe(_ message: Message, _ json: inout JSONObjectWriter) {
    json.member("row", message.id)
    if let seq = message.seq { json.member("seq", seq) } else { json.null("seq") }
    json.member("sender", message.sender)
    json.member("id", message.eventID.description)
    json.member("state", message.state.name)
    json.member("sent_at", message.sentAt)
    json.member("received_at", message.receivedAt)
    if let text = message.text { json.member("text", text) } else { json.null("text") }
    json.member("edited", message.isEdited)
    json.member("deleted", message.isDeleted)
    json.member("expunged", message.isExpunged)
    if let reply = message.replyTo {
      json.array("reply") { pair in
        pair.element(reply.sender)
        pair.element(reply.id.description)
      }
    } else {
      json.null("reply")
    }
    json.array("reactions") { list in
      for reaction in message.reactions {
        list.object { object in
          object.member("sender", reaction.sender)
          object.member("emoji", reaction.emoji)
        }
      }
    }
    if let failure = message.failure {
      json.member("failure", failure)
    } else {
      json.null("failure")
    }
  }
}
