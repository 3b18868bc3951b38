import { paragraph } from './block.ts'
import { references, sum } from './french-blocks.ts'
import {
  invoiceCountOf,
  type LanguageTexts,
  type MessageContent,
  type Template,
  type TemplateValues,
} from './message-content.ts'

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

export function longFrenchDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day === 1 ? '1er' : day} ${months[month! - 1]} ${year}`
}

const smsTemplate: Template = {
  subject: () => '',
  opening: values => `sauf erreur, facture ${values.reference} (${values.sum}) à payer ou contester :`,
  blocks: (content, opening) => [paragraph(`${content.creditor.name} : ${opening} ${content.link}`)],
}

const remainingSum = (content: MessageContent) =>
  content.hasEarlierClaim ? `${sum(content)}, hors intérêts et indemnité,` : sum(content)

function callSubject(content: MessageContent): string {
  const [first] = content.invoices
  return first && invoiceCountOf(content) === 1
    ? `Je vous appelle au sujet de la facture ${first.number}, échue le ${longFrenchDate(first.dueDate)}. Sauf erreur, il reste ${remainingSum(content)} à régler.`
    : `Je vous appelle au sujet des factures ${references(content, 3)}. Sauf erreur, il reste ${remainingSum(content)} à régler.`
}

/** The debt is not mentioned before the identity of the listener is known. */
const callTemplate = (
  question: string,
  ...more: ((values: Pick<TemplateValues, 'creditor'>) => string)[]
): Template => ({
  subject: values =>
    `Bonjour, je suis une intelligence artificielle et je vous appelle pour ${values.creditor}.`,
  isSubjectFixed: true,
  opening: () => question,
  blocks: (content, opening) => [
    paragraph(
      `Suis-je bien en relation avec ${content.debtor.name} ? Si ce n'est pas le cas, dites-le-moi et je m'arrête là.`,
    ),
    paragraph(callSubject(content)),
    paragraph(opening),
    ...more.map(say => paragraph(say({ creditor: content.creditor.name }))),
    paragraph(
      `Nos courriels pour ${content.creditor.name} contiennent un lien pour régler, proposer une date ou contester. Cet appel n'est pas enregistré ; une courte note en garde le résultat. Si vous ne souhaitez plus être appelé, dites-le-moi. Merci, et au revoir.`,
    ),
  ],
})

export const frenchSms: LanguageTexts['sms'] = { sms_reminder: smsTemplate, extra_message: smsTemplate }

export const frenchCalls: LanguageTexts['voice'] = {
  ai_call: callTemplate(
    'Le paiement est-il déjà parti ? Sinon, à quelle date pensez-vous régler ?',
    () =>
      "Si quelque chose retient le paiement, une facture non reçue, une validation en attente ou un désaccord, dites-le-moi. Et si quelqu'un d'autre s'en occupe, dites-moi à qui m'adresser.",
  ),
  ai_call_2: callTemplate(
    'Le paiement est-il déjà parti ? Sinon, cherchons une solution : une date, un paiement en plusieurs fois ou un accord.',
    ({ creditor }) =>
      `Dites-moi ce qui vous est possible. Je le transmets à ${creditor}, qui vous répondra : je ne peux rien accepter à sa place.`,
  ),
  extra_message: callTemplate(
    "Si c'est déjà fait, merci de ne pas tenir compte de cet appel. Sinon, dites-moi si une question ou un désaccord retient le paiement.",
  ),
}
