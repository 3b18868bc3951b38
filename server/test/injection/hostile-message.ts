import type { DebtorFile } from '../../src/features/recovery/case/debtor-file-store.ts'
import type { Communication } from '../../src/features/recovery/messages/communication-store.ts'
import type { ContentRow } from '../../src/features/recovery/messages/compose/content-store.ts'
import { writeMessage } from '../../src/features/recovery/messages/compose/write-message.ts'

export const debtorEmail = 'zoe@cliente.example'
export const mailFrom = 'relance@relance.example'
export const replyEmail = 'compta@atelier.example'
export const link = 'https://relance.example/d/e1aB3_fG7-kL1mN5pQ9s'

/** A message in which every text that a person typed is this one. */
export const messageOf = (...args: Parameters<typeof hostileMessage>) => hostileMessage(...args).message

/** One sum that paid every invoice. */
const receiptOf = (texts: readonly string[]): ContentRow['about'] => ({
  amountCents: 1_000 * texts.length,
  on: '2026-11-13',
  method: 'bank_transfer',
  instrument: 'cheque',
  principalCents: 1_000 * texts.length,
  indemnityCents: 0,
  interestCents: 0,
  overpaidCents: 0,
  owedCents: 0,
  parts: texts.map(number => ({ number, amountCents: 1_000, owedCents: 0 })),
})

/** The same, with what it claims. */
export function hostileMessage(
  channel: 'email' | 'sms' | 'lrar' | 'voice',
  step: string,
  texts: readonly string[],
  id = 'com_1',
  insolvency: string | null = null,
) {
  const [text = ''] = texts
  const communication = { id, channel, step } as Communication
  const file = {
    id: 'debtor',
    name: text,
    email: debtorEmail,
    phone: '+33612345678',
    address: text,
    postal_code: '69002',
    city: text,
    country: 'FR',
    insolvency_kind: insolvency,
    insolvency_opened_on: null,
    type: 'business',
    language: 'fr',
    creditor: {
      name: text,
      replyEmail,
      address: text,
      postalCode: '69005',
      city: text,
      country: 'FR',
      iban: 'FR1420041010050500013M02606',
      accountHolder: text,
      mayNameCourt: true,
      claimsLatePayment: true,
      contractRateBps: null,
      siren: '732829320',
      legalForm: text,
      rcs: text,
      mediator: { name: text, address: text, website: 'mediation.example' },
      telephone: '+33478000000',
      collector: {
        name: text,
        address: text,
        siren: '732829320',
        countries: ['FR'],
        mandateSignedOn: '2026-01-12',
      },
      perWeek: 2,
      perMonth: 8,
    },
  } as unknown as DebtorFile
  const invoice = (number: string) => ({
    id: 'invoice',
    number,
    description: `Objet ${text}`,
    issueDate: '2026-03-31',
    dueDate: '2026-04-30',
    amountCents: 120_000,
    balanceCents: 120_000,
    currency: 'EUR',
    claimedCents: 0,
    accessoriesCents: 0,
    isWaived: false,
    limitationEndsOn: '2031-03-31',
    listedOn: null,
    letter: { id: '01a1b2c3-0000-7000-8000-00000000abcd', at: Date.parse('2026-11-02T09:00:00+01:00') },
    movements: [],
  })
  const content: ContentRow = {
    invoices: texts.map(invoice),
    alsoOpen: texts.map(invoice),
    zone: 'Europe/Paris',
    own: { subject: `${text} {{reference}}`, opening: `${text} {{debtor}} {{creditor}}` },
    about: step === 'payment_receipt' ? receiptOf(texts) : null,
    answer: null,
    written: null,
    open:
      step === 'account_statement'
        ? {
            invoices: texts.map(number => ({ ...invoice(number), paidCents: 0, isDisputed: true })),
            leftOut: 1,
          }
        : null,
    logo: null,
    rates: [{ kind: 'ecb', startsOn: '2026-01-01', bps: 215 }],
    cascades: [{ name: 'fr_b2b_standard', version: 1, steps: null }],
  }
  const context = {
    mailFrom,
    now: Date.parse('2026-11-16T09:00:00+01:00'),
    code: 'e1aB3_fG7-kL1mN5pQ9s',
    link,
    receivesReplies: true,
    words:
      step === 'account_statement' || step === 'written_message'
        ? { subject: `${text} {{debtor}}`, paragraphs: [`${text} {{reference}}`, text] }
        : null,
  }
  return writeMessage(communication, file, content, context)
}
