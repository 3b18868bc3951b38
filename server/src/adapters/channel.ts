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

interface BaseMessage<C extends Channel> {
  channel: C
  communicationId: string
  /** Twenty characters that cannot be guessed: callbacks of the provider name the message by it. */
  code: string
  language: 'fr' | 'en'
  /** When it is sent, in tenant time; in a sandbox this can differ from real time. */
  at: number
}

export interface EmailMessage extends BaseMessage<'email'> {
  from: Mailbox
  replyTo: Mailbox
  to: Mailbox
  subject: string
  text: string
  /** Null: it is sent as plain text only. */
  html: string | null
  /** The picture that the HTML shows as `cid:logo`. */
  logo?: { mediaType: string; bytes: Buffer }
}

export interface SmsMessage extends BaseMessage<'sms'> {
  /** At most 11 letters and digits: what networks show instead of a number. */
  from: string
  /** E.164 */
  to: string
  text: string
}

export interface LetterMessage extends BaseMessage<'lrar'> {
  from: PostalAddress
  to: PostalAddress
  subject: string
  text: string
  /** Printed on the letter and on its receipt. */
  reference: string
  /** The PDF of the letter; created on first use, and the same on every call. */
  pdf(): Promise<Buffer>
  /** By post, or by a qualified provider to an email address for which there is consent. */
  delivery: { by: 'paper' } | { by: 'electronic'; email: string; isConsumer?: boolean }
}

export interface VoiceMessage extends BaseMessage<'voice'> {
  /** E.164 */
  to: string
  /** Spoken first, word for word: it states that an AI is calling (AI Act, art. 50). */
  opening: string
  text: string
}

export type Message = EmailMessage | SmsMessage | LetterMessage | VoiceMessage

/**
 * The outcome of a message whose provider was available. `reason` is stored and logged: it contains protocol codes only, never an
 * address, a name or text of the server.
 */
export type SettledResult =
  | { outcome: 'accepted'; providerId: string }
  /** Provably not sent, may be tried again. */
  | { outcome: 'retryable'; reason: string }
  /** Refused for good; `isAddressRefused`: no message can arrive at that address. */
  | { outcome: 'permanent'; reason: string; isAddressRefused?: true }
  /** May or may not have been sent, so it counts as a contact and is never repeated. */
  | { outcome: 'unknown'; reason: string }

/**
 * `unavailable`: provably not sent, and not because of the message. The provider cannot be reached, limits our rate, or refuses
 * our account. It uses up no attempt.
 */
export type SendResult = SettledResult | { outcome: 'unavailable'; reason: string }

/** How a message is handled after a worker died between sending and settling it. */
export type Reentry = 'idempotent' | 'lookup' | 'none'

export interface SendHooks {
  /**
   * Awaited exactly once, before the first byte after which the provider may deliver.
   * If it rejects, nothing is sent and `send` throws its error.
   * A send that fails earlier never calls it.
   */
  beforeCommit: () => Promise<void>
}

/** A message as the provider's list shows it. */
export interface ListedMessage {
  /** Null if the list does not show it. */
  code: string | null
  /** An email address, or a number in E.164; null for a letter. */
  to: string | null
  /** The reference that is printed on a letter. */
  reference: string | null
  /** When it was accepted, by our clock. */
  at: number
  providerId: string
}

/** The provider's list could not be read. The message is a protocol code only. */
export class ListFailed extends Error {}

/** The names of the adapters that reach people; each message stores the name of its adapter. */
export const providerNames = ['smtp', 'brevo', 'ovhcloud', 'twilio-sms', 'twilio-voice', 'maileva'] as const
export type ProviderName = (typeof providerNames)[number]

/** The only way messages are sent. An adapter gets a finished message and makes no decisions. */
export interface ChannelAdapter<M extends Message> {
  readonly name: string
  readonly reentry: Reentry
  /** The provider does not deliver two messages with the same id, so a message whose answer was lost is repeated at once. */
  readonly hasIdempotencyKey?: true
  send(message: M, hooks: SendHooks): Promise<SendResult>
  /**
   * Finds the outcome of a message whose answer was lost. It is called only when the send is certainly over. `never_seen` means
   * that the message was not sent and never will be; if that is not certain, the result is `unknown`.
   */
  lookup?(message: M): Promise<SettledResult | 'never_seen'>
  /**
   * All messages accepted in this period, each once, including those that others sent with the same account. Times are accurate
   * to two seconds. Throws `ListFailed` rather than return an incomplete list.
   */
  sentBetween?(since: number, until: number): AsyncIterable<ListedMessage>
  close(): Promise<void>
}
