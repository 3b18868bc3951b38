import { accountStatementOf, type OpenInvoice } from '../../../domain/money/account-statement.ts'
import { builtInCascades, followingIn, isAnswer } from '../../../domain/recovery/cascade.ts'
import { addDays, type LocalDate } from '../../../domain/time.ts'
import type { Language } from '../messages/compose/texts/labels.ts'
import { claimingSteps, latePaymentStatement } from '../messages/compose/texts/late-payment-statement.ts'
import type { MessageContent } from '../messages/compose/texts/message-content.ts'

const today: LocalDate = '2026-06-15'

/** Sample content, for a preview of a message without an invoice. */
export function sampleContent(language: Language, step = ''): MessageContent {
  const invoice = {
    id: 'sample',
    number: 'FAC-2026-000042',
    description: language === 'fr' ? 'Dix chaises de bureau' : 'Ten office chairs',
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
    rates: [{ kind: 'ecb', startsOn: '2026-01-01', bps: 215 }],
    contractRateBps: null,
    isClaimed: true,
    insolvencyOpenedOn: null,
  } as const
  return {
    creditor: {
      name: 'Menuiserie Lambert',
      replyEmail: 'compta@menuiserie-lambert.example',
      receivesReplies: true,
      iban: 'FR1420041010050500013M02606',
      accountHolder: 'Menuiserie Lambert',
      address: '4 rue des Tanneurs, 69005 Lyon',
      city: 'Lyon',
      siren: '732829320',
      legalForm: 'SARL',
      rcs: 'Lyon',
      mediator: {
        name: 'Médiation Exemple',
        address: '1 rue du Lac, 75001 Paris',
        website: 'www.mediation.example',
      },
      telephone: '+33478000000',
    },
    debtor: {
      name: language === 'fr' ? 'Durand et Fils SARL' : 'Durand & Sons Ltd',
      address: '12 avenue de la Gare, 38000 Grenoble',
      isConsumer: false,
      isAskedForNumber: false,
      usesChorus: false,
    },
    today,
    invoices: [step === 'payment_receipt' ? { ...invoice, balanceCents: 0 } : invoice],
    alsoOpen: [],
    payWithinDays: null,
    following: followingIn(builtInCascades.slice(0, 1), step),
    mayNameCourt: false,
    statement: claimingSteps.includes(step) ? latePaymentStatement([invoice], 0, terms, today) : null,
    hasEarlierClaim: false,
    collector: null,
    own: null,
    about: isAnswer(step) ? { amountCents: invoice.balanceCents, on: today } : null,
    written: step === 'reply_answered' ? { paragraphs: [sampleAnswer[language]], subject: null } : null,
    account: step === 'account_statement' ? sampleAccount(invoice) : null,
    link: sampleLink,
  }
}

/** The invoice of the message, one that is disputed and one that is not due yet. */
const sampleAccount = (invoice: Omit<OpenInvoice, 'paidCents' | 'isDisputed' | 'limitationEndsOn'>) =>
  accountStatementOf(
    [
      { dueDate: invoice.dueDate, isDisputed: false },
      { dueDate: addDays(today, -12), isDisputed: true },
      { dueDate: addDays(today, 18), isDisputed: false },
    ].map((changes, i) => ({
      ...invoice,
      ...changes,
      number: `FAC-2026-00004${2 + i}`,
      issueDate: addDays(changes.dueDate, -30),
      paidCents: 0,
      limitationEndsOn: addDays(today, 1_000),
    })),
    { on: today, isConsumer: false, leftOut: 0 },
  )

const sampleAnswer = {
  fr: 'Votre virement du 2 juin est bien arrivé. Merci.',
  en: 'Your transfer of 2 June has arrived. Thank you.',
}

/** As long as a real link, but it leads nowhere. */
export const sampleLink = 'https://recouvrement-abc.example/d/e1AaBbCcDdEeFfGgHhIi'
