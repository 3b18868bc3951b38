import { paragraph } from './block.ts'
import { references, sum } from './french-blocks.ts'
import { countOf, type Notice, type Said, type Template, type Words } from './notice.ts'

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

export function spoken(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day === 1 ? '1er' : day} ${months[month! - 1]} ${year}`
}

const textMessage: Template = {
  subject: () => '',
  opening: said => `sauf erreur, facture ${said.reference} (${said.sum}) à payer ou contester :`,
  blocks: (notice, opening) => [paragraph(`${notice.creditor.name} : ${opening} ${notice.link}`)],
}

const rest = (notice: Notice) =>
  notice.isClaimedBeyond ? `${sum(notice)}, hors intérêts et indemnité,` : sum(notice)

function matter(notice: Notice): string {
  const [first] = notice.invoices
  return first && countOf(notice) === 1
    ? `Je vous appelle au sujet de la facture ${first.number}, échue le ${spoken(first.dueDate)}. Sauf erreur, il reste ${rest(notice)} à régler.`
    : `Je vous appelle au sujet des factures ${references(notice, 3)}. Sauf erreur, il reste ${rest(notice)} à régler.`
}

/** Nothing is said of a debt before it is known who listens. */
const call = (question: string, ...more: ((said: Pick<Said, 'creditor'>) => string)[]): Template => ({
  subject: said => `Bonjour, je suis une intelligence artificielle et je vous appelle pour ${said.creditor}.`,
  isSubjectFixed: true,
  opening: () => question,
  blocks: (notice, opening) => [
    paragraph(
      `Suis-je bien en relation avec ${notice.debtor.name} ? Si ce n'est pas le cas, dites-le-moi et je m'arrête là.`,
    ),
    paragraph(matter(notice)),
    paragraph(opening),
    ...more.map(say => paragraph(say({ creditor: notice.creditor.name }))),
    paragraph(
      `Nos courriels contiennent un lien pour régler, proposer une date ou contester. Vous pouvez aussi répondre par écrit à ${notice.creditor.name}, à l'adresse ${notice.creditor.replyEmail}. Cet appel n'est pas enregistré ; une courte note en garde le résultat. Si vous ne souhaitez plus être appelé, dites-le-moi. Merci, et au revoir.`,
    ),
  ],
})

export const frenchSms: Words['sms'] = { sms_reminder: textMessage, extra_message: textMessage }

export const frenchCalls: Words['voice'] = {
  ai_call: call(
    'Le paiement est-il déjà parti ? Sinon, à quelle date pensez-vous régler ?',
    () =>
      "Si quelque chose retient le paiement, une facture non reçue, une validation en attente ou un désaccord, dites-le-moi. Et si quelqu'un d'autre s'en occupe, dites-moi à qui m'adresser.",
  ),
  ai_call_2: call(
    'Le paiement est-il déjà parti ? Sinon, cherchons une solution : une date, un paiement en plusieurs fois ou un accord.',
    ({ creditor }) =>
      `Dites-moi ce qui vous est possible. Je le transmets à ${creditor}, qui vous répondra : je ne peux rien accepter à sa place.`,
  ),
  extra_message: call(
    "Si c'est déjà fait, merci de ne pas tenir compte de cet appel. Sinon, dites-moi si une question ou un désaccord retient le paiement.",
  ),
}
