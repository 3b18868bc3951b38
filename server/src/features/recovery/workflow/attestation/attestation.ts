import type { Channel } from '../../../../domain/contact/channel.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { anrBases } from '../../case/events.ts'
import type { HistoryStatus } from '../../case/history.ts'

export type AnrBasis = (typeof anrBases)[number]

export interface Party {
  name: string
  address: string | null
  postalCode: string | null
  city: string | null
  /** ISO 3166, two letters. */
  country: string
}

/** One recovery action, with its position in the ledger of contacts if it was a contact. */
export interface AttestedAction {
  at: number
  action: string
  channel: Channel | null
  status: HistoryStatus
  proof: { position: number; hash: string } | null
}

/** The content of an attestation. The same content always gives the same document, byte for byte. */
export interface Attestation {
  id: string
  madeAt: number
  language: 'fr' | 'en'
  zone: string
  /** A document from a sandbox must be marked as a test. */
  isSandbox: boolean
  creditor: Party
  debtor: Party & { siret: string | null }
  invoice: {
    number: string
    issueDate: LocalDate
    dueDate: LocalDate
    currency: string
    amountCents: number
    paidCents: number
    creditedCents: number
    writtenOffCents: number
  }
  basis: AnrBasis
  note: string | null
  liquidationOpenedOn: LocalDate | null
  actions: readonly AttestedAction[]
  /** The number of actions that are not listed. */
  unlisted: number
  chain: { length: number; head: string | null }
}
