import { judgeLogo } from '../../../domain/logo-image.ts'
import type { Access } from '../../../kit/actor.ts'
import type { Mediator } from './mediator.ts'

/** In production only an owner does this, in their own session, soon after signing in. */
export const payoutRule = { roles: ['owner'], fresh: true, ownSession: true } as const

/** Who changes in production where money goes, and what else debtors could take for a way to pay. */
export const payoutAccess: Access = { scopes: ['company:manage'], ...payoutRule }

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

/**
 * All that changes in production by the rule of payouts: by an owner, after a day or with a second owner, with a mail. Nobody
 * reads what is on a picture, and a mediator has a website, so both could show another way to pay.
 */
export const waitingFields = [...payoutFields, 'mediator', 'logo'] as const
export type WaitingField = (typeof waitingFields)[number]

/** A mediator as the value of a change, with its fields in one order. */
export const mediatorValue = (mediator: Mediator | null): string | null =>
  mediator && JSON.stringify([mediator.name, mediator.address, mediator.website])
export const mediatorIn = (value: string): [string, string | null, string] => JSON.parse(value)

const maskName = (name: string) =>
  name
    .split(/\s+/)
    .map(word => `${[...word][0]}…`)
    .join(' ')
const ends = (text: string) => `${text.slice(0, 4)}…${text.slice(-4)}`

/** A picture is named by its kind and its size. */
function maskLogo(value: string): string {
  const verdict = judgeLogo(Buffer.from(value, 'base64'))
  return verdict.allowed
    ? `${verdict.type.slice('image/'.length).toUpperCase()} ${verdict.width} × ${verdict.height}`
    : '…'
}

const masks: Record<WaitingField, (value: string) => string> = {
  legalName: maskName,
  accountHolder: maskName,
  iban: ends,
  telephone: ends,
  paymentAccount: value => `acct_…${value.slice(-4)}`,
  replyEmail: value => `${[...value][0]}…${value.slice(value.lastIndexOf('@'))}`,
  // Nobody's account or address: whoever reads the mail judges it by all of it.
  mediator: value => mediatorIn(value).filter(Boolean).join(', '),
  logo: maskLogo,
}

/** Enough to recognise a value by, and not enough to use it. */
export const maskPayout = (field: WaitingField, value: string | null): string | null =>
  value === null ? null : masks[field](value)
