/** The settings that define where and to whom a debtor pays and replies. */
export const payoutFields = [
  'legalName',
  'iban',
  'accountHolder',
  'replyEmail',
  'telephone',
  'paymentAccount',
] as const
export type PayoutField = (typeof payoutFields)[number]

export const payoutColumns = {
  legalName: 'legal_name',
  iban: 'iban',
  accountHolder: 'account_holder',
  replyEmail: 'reply_email',
  telephone: 'telephone',
  paymentAccount: 'payment_account',
} as const satisfies Record<PayoutField, string>

const maskName = (name: string) =>
  name
    .split(/\s+/)
    .map(word => `${[...word][0]}…`)
    .join(' ')
const ends = (text: string) => `${text.slice(0, 4)}…${text.slice(-4)}`

const masks: Record<PayoutField, (value: string) => string> = {
  legalName: maskName,
  accountHolder: maskName,
  iban: ends,
  telephone: ends,
  paymentAccount: value => `acct_…${value.slice(-4)}`,
  replyEmail: value => `${[...value][0]}…${value.slice(value.lastIndexOf('@'))}`,
}

/** Enough to recognise a value by, and not enough to use it. */
export const maskPayout = (field: PayoutField, value: string | null): string | null =>
  value === null ? null : masks[field](value)
