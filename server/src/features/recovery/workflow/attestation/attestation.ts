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

/** One thing that was done to be paid, with its place in the chain of contacts if it reached anybody. */
export interface AttestedAction {
  at: number
  action: string
  channel: Channel | null
  status: HistoryStatus
  proof: { position: number; hash: string } | null
}

/** Everything an attestation says. The same attestation is always the same document, byte for byte. */
export interface Attestation {
  id: string
  madeAt: number
  language: 'fr' | 'en'
  zone: string
  /** What a sandbox makes must never pass for the real thing. */
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
  /** Actions there was no room for. */
  unlisted: number
  chain: { length: number; head: string | null }
}
