import type { ReceiptOutcome } from '../domain/contact/receipt.ts'

/** A provider at our door: the request as it came, before anybody looked into it. */
export interface Knock {
  method: string
  /** The whole address as the provider knows it, query included: some sign it. */
  url: string
  /** What stands in the path after the provider's name, if anything. */
  code: string | null
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  wall: number
}

/** What a provider says of a message of ours, or in answer to one. */
export type Heard =
  | {
      kind: 'receipt'
      /** Which message, by the code it was sent with. */
      code: string
      outcome: ReceiptOutcome
      at: number
      /** The provider's own name of this piece of news: told again, it is not heard again. */
      eventId: string
      /** Of a call: that it is over, and how, unless the conversation itself said more (`closeCall` in debtor-side/calls). */
      call?: 'over' | 'voicemail' | 'unreachable'
    }
  | {
      kind: 'reply'
      code: string
      /** A word that asks us to stop is the same on every channel. */
      isStop: boolean
      at: number
      eventId: string
    }
  | {
      /** An answer by text message names nobody but the phone it came from. */
      kind: 'reply_by_phone'
      /** E.164 */
      phone: string
      isStop: boolean
      at: number
      eventId: string
    }

/** Judges who knocks and understands what is said; decides nothing. */
export interface CallbackReader {
  /** What the provider takes for "heard", if not any success. */
  readonly thanks?: number
  /**
   * `forged`: not signed by the provider. An empty list: genuine, and of no interest. It throws when the provider has to be
   * asked what it meant and does not answer: it should tell us again later.
   */
  read(knock: Knock): Promise<readonly Heard[] | 'forged'>
}
