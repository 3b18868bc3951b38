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

/** The messages and calls that ask for payment. Actions of the debtor, pauses and answers do not count. */
export const attestedSteps = [
  'email_prise_en_charge',
  'relance_email_1',
  'relance_email_2',
  'relance_email_3',
  'sms_reminder',
  'ai_call',
  'ai_call_2',
  'lrar_mise_en_demeure',
  'email_dernier_avis',
  'extra_message',
] as const
export type AttestedStep = (typeof attestedSteps)[number]

/** One message or call, with its position in the ledger of contacts. */
export interface AttestedAction {
  at: number
  action: AttestedStep
  channel: Channel
  status: HistoryStatus
  /** The invoice whose message it was, where it is another one. */
  groupedWith: string | null
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
  creditor: Party & { siren: string | null; legalForm: string | null; rcs: string | null }
  /** Who acted for the creditor; null: the creditor itself. */
  collector: { name: string; address: string; siren: string; mandateSignedOn: LocalDate } | null
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
  /** The records show the cause; otherwise it is the creditor's declaration. */
  isBasisOnRecord: boolean
  note: string | null
  liquidationOpenedOn: LocalDate | null
  actions: readonly AttestedAction[]
  /** The number of actions that are not listed. */
  unlisted: number
  chain: { length: number; head: string | null }
}
