import { isAnswer } from '../../../domain/recovery/cascade.ts'
import { addDays, type LocalDate } from '../../../domain/time.ts'
import type { Language, Notice } from '../messages/texts/notice.ts'
import { claimingSteps, statementOf } from '../messages/texts/statement.ts'

const today: LocalDate = '2026-06-15'

/** A message about nobody, for whoever wants to see the words before somebody receives them. */
export function sampleNotice(language: Language, step = ''): Notice {
  const invoice = {
    id: 'sample',
    number: 'FAC-2026-000042',
    issueDate: addDays(today, -75),
    dueDate: addDays(today, -45),
    amountCents: 120_000,
    balanceCents: 120_000,
    currency: 'EUR',
    movements: [],
  }
  const terms = {
    debtorType: 'business',
    creditorCountry: 'FR',
    contractRateBps: null,
    isClaimed: true,
    insolvencyOpenedOn: null,
  } as const
  return {
    creditor: {
      name: 'Menuiserie Lambert',
      replyEmail: 'compta@menuiserie-lambert.example',
      iban: 'FR1420041010050500013M02606',
      address: '4 rue des Tanneurs, 69005 Lyon',
      city: 'Lyon',
    },
    debtor: {
      name: language === 'fr' ? 'Durand et Fils SARL' : 'Durand & Sons Ltd',
      address: '12 avenue de la Gare, 38000 Grenoble',
    },
    today,
    invoices: [step === 'payment_receipt' ? { ...invoice, balanceCents: 0 } : invoice],
    further: [],
    alsoOpen: [],
    payWithinDays: null,
    mayNameCourt: false,
    statement: claimingSteps.includes(step) ? statementOf([invoice], 0, terms, today) : null,
    isClaimedBeyond: false,
    collector: null,
    own: null,
    about: isAnswer(step) ? { amountCents: invoice.balanceCents, on: today } : null,
    link: sampleLink,
  }
}

/** As long as a real one, and leads nowhere. */
export const sampleLink = 'https://recouvrement-abc.example/d/e1AaBbCcDdEeFfGgHhIi'
