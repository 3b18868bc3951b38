import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { Language } from '../../access/people/texts/page-texts.ts'

const countries = {
  FR: { fr: 'France', en: 'France', isInEu: true },
  US: { fr: 'États-Unis', en: 'United States', isInEu: false },
} as const

/** The head office of a provider, by the name of its adapter. */
const providers: Record<string, { name: string; country: keyof typeof countries }> = {
  brevo: { name: 'Brevo', country: 'FR' },
  ovhcloud: { name: 'OVHcloud', country: 'FR' },
  twilio: { name: 'Twilio', country: 'US' },
  maileva: { name: 'Maileva', country: 'FR' },
  stripe: { name: 'Stripe', country: 'US' },
  anthropic: { name: 'Anthropic', country: 'US' },
  openai: { name: 'OpenAI', country: 'US' },
  mistral: { name: 'Mistral AI', country: 'FR' },
}

const uses = ['email', 'sms', 'lrar', 'voice', 'payment', 'model'] as const
export type Use = (typeof uses)[number]

interface Recipient {
  use: Use
  /** Null: a server that the operator chose, whose place we do not know. */
  provider: (typeof providers)[string] | null
}

/** The facts in the data notice, for this creditor and this installation. */
export interface NoticeFacts {
  creditor: string
  /** On one line. */
  address: string | null
  contact: string
  telephone: string | null
  /** Who recovers on the creditor's mandate. */
  collector: string | null
  type: DebtorType
  /** Who runs this installation, with its address: the processor. */
  operator: string
  /** Who hosts it, with the address. */
  host: string
  recipients: readonly Recipient[]
  /** For how many months after its end a case is kept. */
  keepMonths: number
  /** For how many days after it was read the text of a reply is kept. */
  keepReplyDays: number
  /** For how many days the link of a message works. */
  linkDays: number
  /** For how many minutes a right answer keeps the page open; null: the link asks nothing. */
  passMinutes: number | null
}

export interface NoticeSection {
  title: string
  paragraphs: readonly string[]
  /** A right, a purpose or a recipient, and what there is to say about it. */
  points?: readonly (readonly [name: string, text: string])[]
}

/** The recipients that this installation has, by the names of their adapters. */
export const recipientsOf = (configured: Partial<Record<Use, string | null>>): Recipient[] =>
  uses.flatMap(use => {
    const name = configured[use]
    return name ? [{ use, provider: providers[name] ?? null }] : []
  })

export const has = ({ recipients }: NoticeFacts, use: Use): boolean => recipients.some(one => one.use === use)

/** `Twilio (France)`; null where only the operator knows. */
export const shownProvider = ({ provider }: Recipient, language: Language): string | null =>
  provider && `${provider.name} (${countries[provider.country][language]})`

/** The providers whose head office is outside the European Union. */
export const providersOutsideEu = ({ recipients }: NoticeFacts): string[] => [
  ...new Set(
    recipients.flatMap(({ provider }) =>
      provider && !countries[provider.country].isInEu ? [provider.name] : [],
    ),
  ),
]
