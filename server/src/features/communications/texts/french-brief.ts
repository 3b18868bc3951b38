import { agree, references, sum } from './french-blocks.ts'
import { page, plainSpaces } from './layout.ts'
import { countOf, type Notice, type Text, type Words } from './notice.ts'

const months = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]

function spoken(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day === 1 ? '1er' : day} ${months[month! - 1]} ${year}`
}

const textMessage = (notice: Notice): Text => ({
  subject: '',
  body: plainSpaces(
    `${notice.creditor.name} : sauf erreur, la facture ${references(notice, 1)} (${sum(notice)}) ${agree(notice, 'reste', 'restent')} à régler ; si c'est fait, merci de ne pas en tenir compte.`,
  ),
})

function matter(notice: Notice): string {
  const [first] = notice.invoices
  return first && countOf(notice) === 1
    ? `Je vous appelle au sujet de la facture ${first.number}, échue le ${spoken(first.dueDate)}. Sauf erreur, il reste ${sum(notice)} à régler.`
    : `Je vous appelle au sujet des factures ${references(notice, 3)}. Sauf erreur, il reste ${sum(notice)} à régler.`
}

/** Nothing is said of a debt before it is known who listens. */
const call = (notice: Notice, ...middle: string[]): Text => ({
  subject: `Bonjour, je suis une intelligence artificielle et je vous appelle pour ${notice.creditor.name}.`,
  body: page(
    `Suis-je bien en relation avec ${notice.debtor.name} ? Si ce n'est pas le cas, dites-le-moi et je m'arrête là.`,
    matter(notice),
    ...middle,
    `Vous pouvez aussi répondre par écrit à ${notice.creditor.name}, à l'adresse ${notice.creditor.replyEmail}. Cet appel n'est pas enregistré ; une courte note en garde le résultat. Si vous ne souhaitez plus être appelé, dites-le-moi. Merci, et au revoir.`,
  ),
})

export const frenchSms: Words['sms'] = { sms_reminder: textMessage, extra_message: textMessage }

export const frenchCalls: Words['voice'] = {
  ai_call: notice =>
    call(
      notice,
      'Le paiement est-il déjà parti ? Sinon, à quelle date pensez-vous régler ?',
      "Si quelque chose retient le paiement, une facture non reçue, une validation en attente ou un désaccord, dites-le-moi. Et si quelqu'un d'autre s'en occupe, dites-moi à qui m'adresser.",
    ),
  ai_call_2: notice =>
    call(
      notice,
      'Le paiement est-il déjà parti ? Sinon, cherchons une solution : une date, un paiement en plusieurs fois ou un accord.',
      `Dites-moi ce qui vous est possible. Je le transmets à ${notice.creditor.name}, qui vous répondra : je ne peux rien accepter à sa place.`,
    ),
  extra_message: notice =>
    call(
      notice,
      "Si c'est déjà fait, merci de ne pas tenir compte de cet appel. Sinon, dites-moi si une question ou un désaccord retient le paiement.",
    ),
}
