import type { ReceiptOutcome } from '../domain/contact/receipt.ts'

/** A callback request from a provider, raw and not yet verified. */
export interface CallbackRequest {
  method: string
  /** The complete URL as the provider called it, with its query: some providers sign it. */
  url: string
  /** The path segment after the provider's name, if any. */
  code: string | null
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  wall: number
}

/** A person's reply by mail, as it is forwarded. */
export interface ReplyCopy {
  from: string
  subject: string
  text: string
}

/** What a person wrote to us. Null: the provider or the person gave none. */
export interface ReplyContent {
  from: string | null
  subject: string | null
  text: string | null
  /** Their names and sizes; their content is never kept. */
  attachments: { name: string; type: string; bytes: number }[]
}

/** An event reported by a provider: a receipt for one of our messages, or a reply to one. */
export type ProviderEvent =
  | {
      kind: 'receipt'
      /** Which message, by the code it was sent with. */
      code: string
      outcome: ReceiptOutcome
      at: number
      /** The provider's id of this event: a repeated event is handled once. */
      eventId: string
      /** For a call: how it ended, unless the conversation itself reported more (`closeCall` in debtor-side/calls). */
      call?: 'over' | 'voicemail' | 'unreachable'
    }
  | {
      kind: 'reply'
      code: string
      /** The reply is a stop word; stop words are the same on every channel. */
      isStop: boolean
      at: number
      eventId: string
      /** What was written; absent where the provider only says that there was a reply. */
      content?: ReplyContent
      /** The reply itself, if only we received it: it has to be forwarded to the creditor. */
      copy?: ReplyCopy
    }
  | {
      /** A reply by text message; it is known only by the phone number it came from. */
      kind: 'reply_by_phone'
      /** E.164 */
      phone: string
      isStop: boolean
      at: number
      eventId: string
      content: ReplyContent
    }

/** Verifies a callback request and reads its events; it makes no decisions. */
export interface CallbackReader {
  /** The status the provider expects as acknowledgement, if it does not accept every 2xx. */
  readonly successStatus?: number
  /** A limit above 64 kB, for providers that send a secret. */
  readonly bodyMaxBytes?: number
  /**
   * For providers that send a secret in the URL or in a header: whether it is right. It is checked before the body is read. A
   * signature over the body is verified by `read`.
   */
  hasValidSecret?(request: Omit<CallbackRequest, 'body'>): boolean
  /**
   * `forged`: not signed by the provider. An empty list: genuine, but of no interest. It throws when the provider has to be asked
   * for details and does not answer, so that the provider sends the callback again later.
   */
  read(request: CallbackRequest): Promise<readonly ProviderEvent[] | 'forged'>
}
