import type { Debtor, DebtorAct, Invoice, InvoiceAct } from '@relance/sdk'
import type { Language } from '../../lib/language.tsx'
import type { Standing } from '../../lib/standing.ts'
import { localTime, midnightOf } from '../../lib/zone.ts'
import { centsOf } from '../../ui/money-text.ts'
import { type FieldName, words } from './words.ts'

interface InvoiceSubject {
  readonly kind: 'invoice'
  readonly id: string
  readonly name: string
  readonly debtorId: string
  readonly currency: string
  readonly balanceCents: number
  readonly timeZone: string
  readonly standing: Standing | undefined
  /** Which acts the API allows now. */
  readonly acts: readonly InvoiceAct[]
}

interface DebtorSubject {
  readonly kind: 'debtor'
  readonly id: string
  readonly name: string
  /** That of its account, in which money is recorded. */
  readonly currency: string
  readonly timeZone: string
  readonly reported: Debtor['reported']
  readonly insolvency: Debtor['insolvency']
  /** Its addresses, as they are on record. */
  readonly contact: Pick<Debtor, 'email' | 'phone' | 'siret' | 'address' | 'postalCode' | 'city'>
  readonly acts: readonly DebtorAct[]
}

/** What an act is about. */
export type Subject = InvoiceSubject | DebtorSubject

/** Where a debtor has no time zone nothing may be sent, and the hours do not matter. */
const zoneOf = ({ timeZone }: { readonly timeZone: string | null }) => timeZone ?? 'Europe/Paris'

export const subjectOfInvoice = (invoice: Invoice): Subject => ({
  kind: 'invoice',
  id: invoice.id,
  name: invoice.invoiceNumber,
  debtorId: invoice.debtor.id,
  currency: invoice.currency,
  balanceCents: invoice.balanceCents,
  timeZone: zoneOf(invoice.debtor),
  standing: invoice.recovery?.standing,
  acts: invoice.acts ?? [],
})

export const subjectOfDebtor = (debtor: Debtor): Subject => ({
  kind: 'debtor',
  id: debtor.id,
  name: debtor.name,
  currency: debtor.account?.currency ?? 'EUR',
  timeZone: zoneOf(debtor),
  reported: debtor.reported,
  insolvency: debtor.insolvency,
  contact: debtor,
  acts: debtor.acts ?? [],
})

export type Values = Readonly<Partial<Record<FieldName, string>>>
export type Choice = readonly [value: string, words: string]

export interface FieldSpec {
  readonly name: FieldName
  readonly kind: 'text' | 'day' | 'money' | 'choice' | 'check' | 'several' | 'split'
  /** The name of the field in the API, if it differs. */
  readonly of?: string
  readonly isOptional?: boolean
  /** Asked only where the dry run says that there is something to confirm. */
  readonly isQuestion?: true
  /** Without it the field is always there; a field that is not there is not sent. */
  readonly when?: (values: Values) => boolean
  readonly lines?: number
  readonly choices?: (language: Language, subject: Subject) => Readonly<Record<string, string>>
}

/** The values of the fields, and the subject of the act. */
interface Filled {
  readonly subject: Subject
  readonly values: Values
  readonly language: Language
}

export const textOf = (values: Values, name: FieldName) => values[name]?.trim() || undefined
export const centsIn = ({ values, language }: Filled, name: FieldName) => {
  const text = textOf(values, name)
  return text === undefined ? undefined : (centsOf(text, language) ?? undefined)
}

/** One invoice of a split, as the API proposes or judges it. */
export interface SplitRow {
  readonly id: string
  readonly number: string
  readonly dueDate: string
  readonly owedCents: number
  /** What of the sum it gets; 0: nothing. */
  readonly cents: number
  readonly afterCents: number
}

/** The typed sums of a split by invoice; null where the API proposes it. */
export const typedSplit = (value: string | undefined): Readonly<Record<string, string>> | null =>
  value ? (JSON.parse(value) as Record<string, string>) : null

/** The parts of a typed split; an empty field is no part. */
export const splitOf = (value: string | undefined, language: Language) =>
  Object.entries(typedSplit(value) ?? {}).flatMap(([invoiceId, text]) => {
    const amountCents = text.trim() === '' ? 0 : (centsOf(text, language) ?? Number.NaN)
    return amountCents === 0 ? [] : [{ invoiceId, amountCents }]
  })

/** Ids of several things, as they are kept in a field. */
export const chosenIds = (value: string | undefined) => value?.split(',').filter(Boolean) ?? []
/** Nothing of a list is chosen; an empty field stands for all of it. */
export const noneChosen = 'none'

/** `2026-11-16` or `2026-11-16T08:15` by the clock on the debtor's wall. */
export function instantOf(local: string, timeZone: string): string {
  const [date = '', time = '00:00'] = local.split('T')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const minute = hours * 60 + minutes
  const at = midnightOf(date, timeZone) + minute * 60_000
  return new Date(at + (minute - localTime(at, timeZone).minute) * 60_000).toISOString()
}
export const momentIn = ({ values, subject }: Filled, name: FieldName) => {
  const local = textOf(values, name)
  return local === undefined ? undefined : instantOf(local, subject.timeZone)
}

export const reason: FieldSpec = { name: 'reason', kind: 'text', isOptional: true }
export const note: FieldSpec = { name: 'note', kind: 'text', isOptional: true }
export const until: FieldSpec = { name: 'until', kind: 'day', isOptional: true }
/** The channels for which the API allows an act: one that is not closed yet, or one whose address refused a message. */
export const channelsFor =
  (act: 'opt_out' | 'retry_address') =>
  (language: Language, { acts: verdicts }: Subject) => {
    const open = verdicts.flatMap(verdict =>
      verdict.act === act && verdict.channel !== null && verdict.allowed ? [verdict.channel] : [],
    )
    return Object.fromEntries(open.map(one => [one, words[language].channels[one]]))
  }

/** The decisions that the API names for what was reported; proceedings are recorded by an act of their own. */
export const decisionsOf = (language: Language, subject: Subject) => {
  const reported = isInvoice(subject) ? null : subject.reported
  const { decisions } = words[language]
  return Object.fromEntries(
    (reported?.decisions ?? []).flatMap(one => (one === 'insolvency' ? [] : [[one, decisions[one]]])),
  )
}

export const isInvoice = (subject: Subject): subject is InvoiceSubject => subject.kind === 'invoice'

interface Fields {
  readonly fields: readonly FieldSpec[]
}

/** The fields that go with what is chosen. */
export const shownFields = ({ fields }: Fields, values: Values): readonly FieldSpec[] =>
  fields.filter(({ when }) => when?.(values) ?? true)

/** Whether all required fields are filled in and every amount is valid. */
export const isComplete = (act: Fields, values: Values, language: Language): boolean =>
  shownFields(act, values).every(({ name, kind, isOptional = false }) => {
    const text = textOf(values, name)
    if (kind === 'several') return text !== noneChosen
    if (kind === 'split') {
      const parts = splitOf(text, language)
      return text === undefined || (parts.length > 0 && parts.every(({ amountCents }) => amountCents > 0))
    }
    return text === undefined ? isOptional : kind !== 'money' || centsOf(text, language) !== null
  })

/** Equal for equal values: an amount is typed in one form and shown in another. */
export const keyOf = (act: Fields, values: Values, language: Language): string =>
  JSON.stringify(
    shownFields(act, values).map(({ name, kind }) => {
      const text = textOf(values, name)
      if (kind === 'split' && text !== undefined) return [name, splitOf(text, language)]
      return [name, (text !== undefined && kind === 'money' && centsOf(text, language)) || text]
    }),
  )
