import { cents, formatMoney } from '../../../domain/money.ts'
import type { LocalDate } from '../../../domain/time.ts'

export interface Notice {
  creditor: { name: string; replyEmail: string }
  debtor: { name: string }
  invoice: {
    number: string
    issueDate: LocalDate
    dueDate: LocalDate
    balanceCents: number
    currency: string
  }
}

export interface Text {
  subject: string
  body: string
}

const dateIn = (language: 'fr' | 'en', date: LocalDate) => {
  const [year, month, day] = date.split('-')
  return language === 'fr' ? `${day}/${month}/${year}` : `${Number(day)} ${months[Number(month) - 1]} ${year}`
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

function french({ creditor, debtor, invoice }: Notice): Text {
  const sum = formatMoney(cents(invoice.balanceCents), invoice.currency, 'fr')
  return {
    subject: `${creditor.name} : facture ${invoice.number}, ${sum} en attente de règlement`,
    body: `${debtor.name},

Nous vous écrivons pour ${creditor.name}, qui nous confie le suivi de la facture suivante :

  Facture      ${invoice.number}
  Émise le     ${dateIn('fr', invoice.issueDate)}
  Échue le     ${dateIn('fr', invoice.dueDate)}
  Reste dû     ${sum}

Sauf erreur de notre part, elle n'est pas réglée à ce jour. Si votre paiement est déjà parti, merci de ne pas tenir compte de ce message.

Vous contestez cette facture, vous souhaitez un délai ou vous n'êtes pas la bonne personne ? Répondez à ce message : votre réponse arrive directement chez ${creditor.name} (${creditor.replyEmail}).

Vos données
${creditor.name} est responsable du traitement de vos données ; Relance agit pour son compte. Transmises par ${creditor.name}, elles servent uniquement au recouvrement de cette facture. Vous pouvez y accéder, les faire rectifier ou effacer, ou vous opposer à leur usage en écrivant à ${creditor.replyEmail}, et saisir la CNIL (www.cnil.fr).

Relance, pour ${creditor.name}
`,
  }
}

function english({ creditor, debtor, invoice }: Notice): Text {
  const sum = formatMoney(cents(invoice.balanceCents), invoice.currency, 'en')
  return {
    subject: `${creditor.name}: invoice ${invoice.number}, ${sum} awaiting payment`,
    body: `${debtor.name},

We are writing on behalf of ${creditor.name}, who has asked us to follow up this invoice:

  Invoice      ${invoice.number}
  Issued on    ${dateIn('en', invoice.issueDate)}
  Due on       ${dateIn('en', invoice.dueDate)}
  Still owed   ${sum}

Unless we are mistaken, it has not been paid yet. If your payment is already on its way, please disregard this message.

Do you dispute this invoice, need more time, or are you not the right person? Reply to this message: your answer goes straight to ${creditor.name} (${creditor.replyEmail}).

Your data
${creditor.name} is the controller of your data; Relance acts on its behalf. They come from ${creditor.name} and serve only the recovery of this invoice. You may see, correct or erase them, or object to their use, by writing to ${creditor.replyEmail}, and complain to the data protection authority of your country.

Relance, for ${creditor.name}
`,
  }
}

/** Step 1: neutral. Who writes, for whom, what is owed, how to answer, what happens to the data. */
export const emailPriseEnCharge = (language: 'fr' | 'en', notice: Notice): Text =>
  language === 'fr' ? french(notice) : english(notice)
