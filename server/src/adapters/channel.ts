import type { Channel } from '../domain/contact/channel.ts'

interface Mailbox {
  name: string
  address: string
}

export interface PostalAddress {
  name: string
  lines: string[]
  postalCode: string
  city: string
  country: string
}

interface Sent<C extends Channel> {
  channel: C
  communicationId: string
  /** Twenty letters and digits that nobody can guess: a provider that speaks of the message later names it. */
  code: string
  language: 'fr' | 'en'
  /** When it is sent, in the tenant's time: a sandbox may live in another year than the wall. */
  at: number
}

export interface EmailMessage extends Sent<'email'> {
  from: Mailbox
  replyTo: Mailbox
  to: Mailbox
  subject: string
  text: string
  /** Null: it goes as text alone. */
  html: string | null
}

export interface SmsMessage extends Sent<'sms'> {
  /** At most 11 letters and digits: what networks show instead of a number. */
  from: string
  /** E.164 */
  to: string
  text: string
}

export interface LetterMessage extends Sent<'lrar'> {
  from: PostalAddress
  to: PostalAddress
  subject: string
  text: string
  /** Printed on the letter and on its receipt. */
  reference: string
  /** The letter itself; printed when it is first asked for, and the same however often. */
  pdf(): Promise<Buffer>
  /** By the postman, or by a qualified provider to an address that was consented to. */
  delivery: { by: 'paper' } | { by: 'electronic'; email: string; isConsumer?: boolean }
}

export interface VoiceMessage extends Sent<'voice'> {
  /** E.164 */
  to: string
  /** Spoken first, word for word: it says that an AI is calling (AI Act, art. 50). */
  opening: string
  text: string
}

export type Message = EmailMessage | SmsMessage | LetterMessage | VoiceMessage

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
export interface ChannelAdapter<M extends Message> {
  readonly name: string
  readonly reentry: Reentry
  send(message: M, hooks: SendHooks): Promise<SendResult>
  /**
   * What became of a message whose answer was lost. Asked only once the send is over for certain; `never_seen` says that it
   * did not leave and never will, so who cannot be sure of that answers `unknown`.
   */
  lookup?(message: M): Promise<SendResult | 'never_seen'>
  close(): Promise<void>
}
