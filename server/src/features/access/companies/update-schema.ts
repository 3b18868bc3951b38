import { z } from 'zod'
import { capsMax } from '../../../domain/contact/contact-rules.ts'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import { compactIban, isIban } from '../../../domain/money/iban.ts'
import { isSiren } from '../../../domain/siret.ts'
import { email, line, lines, phone } from '../../../kit/fields.ts'
import { shownText } from '../../platform/shown-text.ts'
import { keepMonths, keepReplyDays } from './settings.ts'

const iban = z
  .string()
  .max(50)
  .transform(compactIban)
  .refine(isIban, 'is not an IBAN: its length or its check digits are wrong')
  .meta({ examples: ['FR14 2004 1010 0505 0001 3M02 606'] })

const siren = z
  .string()
  .max(20)
  .transform(text => text.replaceAll(/\s/g, ''))
  .refine(isSiren, 'is not a SIREN: nine digits, of which the last is a check digit')
  .meta({ examples: ['732 829 320'] })

const paymentAccount = z
  .string()
  .regex(
    /^acct_[A-Za-z0-9]{8,64}$/,
    'is not an account of the payment provider: acct_ and its letters and digits',
  )
  .meta({ examples: ['acct_1QyExample0000'] })

/** A host name, optionally with a path. No scheme: a key may set it, so it must not become a link. It is printed as it is. */
const website = z
  .string()
  .max(200)
  .regex(
    /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[\w./-]*)?$/i,
    'is not a web address, such as www.mediateur.example',
  )
  .meta({ examples: ['www.mediateur.example'] })

/** Null resets a setting to its default. */
const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

export const CompanyUpdate = z
  .strictObject({
    legalName: clearable(line(200)),
    address: clearable(shownText(lines(300))),
    postalCode: clearable(shownText(line(20))),
    city: clearable(shownText(line(100))),
    siren: clearable(siren),
    legalForm: clearable(shownText(line(100))),
    rcs: clearable(shownText(line(100))),
    mediator: clearable(
      // R616-1 C. conso.: the name and the website; the address beside them.
      z.strictObject({
        name: shownText(line(200)),
        address: clearable(shownText(line(300))),
        website,
      }),
    ),
    iban: clearable(iban),
    accountHolder: clearable(line(70)),
    replyEmail: clearable(email),
    telephone: clearable(phone),
    contractRateBps: clearable(z.int().min(0).max(10_000)),
    courtConsent: clearable(z.boolean()),
    claimsLatePayment: clearable(z.boolean()),
    paymentAccount: clearable(paymentAccount),
    defaultDebtorType: clearable(z.enum(debtorTypes)),
    keepMonths: clearable(z.int().min(keepMonths.min).max(keepMonths.max)),
    keepMonthsConsumers: clearable(z.int().min(keepMonths.min).max(keepMonths.max)),
    keepReplyDays: clearable(z.int().min(keepReplyDays.min).max(keepReplyDays.max)),
    caps: clearable(
      z
        .strictObject({
          contactsPerWeek: clearable(z.int().min(1).max(capsMax.perWeek)),
          contactsPerMonth: clearable(z.int().min(1).max(capsMax.perMonth)),
        })
        .refine(caps => Object.keys(caps).length > 0, 'has nothing to change'),
    ),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'CompanyUpdate', description: 'Only the fields sent change; null clears a setting' })
