interface Mailbox {
  name: string
  address: string
}

export interface EmailMessage {
  communicationId: string
  from: Mailbox
  replyTo: Mailbox
  to: Mailbox
  subject: string
  text: string
  language: 'fr' | 'en'
}

/** `reason` is kept and logged: protocol codes only, never an address, a name or the server's own words. */
export type SendResult =
  | { outcome: 'accepted'; providerId: string }
  /** Provably not sent, may be tried again. */
  | { outcome: 'retryable'; reason: string }
  /** Refused for good. */
  | { outcome: 'permanent'; reason: string }
  /** May or may not have been sent, so it counts as a contact and is never repeated. */
  | { outcome: 'unknown'; reason: string }

/** What may be done when a worker died between sending and settling. */
export type Reentry = 'idempotent' | 'lookup' | 'none'

export interface SendHooks {
  /**
   * Awaited exactly once, before the first byte after which the provider may deliver.
   * If it rejects, nothing is sent and its error leaves `send`.
   * A send that fails earlier never calls it.
   */
  beforeCommit: () => Promise<void>
}

/** The one door through which messages leave. An adapter receives a decided message and decides nothing. */
export interface ChannelAdapter<Message> {
  readonly name: string
  readonly reentry: Reentry
  send(message: Message, hooks: SendHooks): Promise<SendResult>
  lookup?(communicationId: string): Promise<SendResult | 'never_seen'>
  close(): Promise<void>
}
