import { paragraph } from './block.ts'
import { frenchLabels, references } from './french-blocks.ts'
import {
  accessoriesOf,
  amountToPay,
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { partyOnOneLine } from './template-writer.ts'
import { fr } from './typography.ts'

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

/** `16/11/26`: an SMS is short. */
const shortDate = (date: string) => frenchLabels.date(date).replace(/\d\d(\d\d)$/, '$1')

const smsTemplate: Template = {
  subject: () => '',
  // Others may read the screen of a private person, so the text contains neither the word invoice nor a sum.
  opening: values =>
    values.isAskedForNumber
      ? fr`un message vous attend :`
      : values.isConsumer
        ? fr`un message vous attend au sujet de votre dossier ${values.reference} :`
        : fr`${singularOrPlural(values, 'votre facture', 'vos factures')} ${values.reference} ${singularOrPlural(values, 'attend son', 'attendent leur')} paiement. Payer ou contester :`,
  blocks: ({ creditor, collector, link }, opening) => [
    paragraph(
      collector === null
        ? fr`${creditor.name} : ${opening} ${link}`
        : fr`${collector.name} pour ${creditor.name}, dossier ${collector.reference} du ${shortDate(collector.since)} : ${opening} ${link}`,
    ),
  ],
}

const remainingSum = (content: MessageContent) =>
  accessoriesOf(content) > 0
    ? `${amountToPay(content, 'fr')}, intérêts et indemnité compris,`
    : amountToPay(content, 'fr')

function callSubject(content: MessageContent): string {
  const [first, ...more] = content.invoices
  return first && more.length === 0
    ? `Je vous appelle au sujet de la facture ${first.number}, échue le ${longFrenchDate(first.dueDate)}. Sauf erreur, il reste ${remainingSum(content)} à payer.`
    : `Je vous appelle au sujet de ${content.invoices.length} factures, ${references(content, 3)}. Sauf erreur, il reste en tout ${remainingSum(content)} à payer.`
}

const identityQuestion = ({ debtor }: MessageContent) =>
  debtor.isConsumer
    ? fr`Suis-je bien en relation avec ${debtor.name} ?`
    : fr`Êtes-vous bien chez ${debtor.name} ? Puis-je parler à la personne qui suit les factures des fournisseurs ?`

/** What a collector must say once the listener is identified: art. R124-4 C. pr. civ. d'exécution. */
const spokenMandate = ({ creditor, collector }: MessageContent): string | null =>
  collector &&
  `${partyOnOneLine(collector)}, exerce une activité de recouvrement amiable, au nom du créancier ${partyOnOneLine(creditor)}. Votre dossier est le ${collector.reference}, du ${longFrenchDate(collector.since)}.`

/** What we store of the call: its outcome and a note, no recording and no transcript. */
const callNotice =
  'Cet appel n’est pas enregistré. Un logiciel transcrit vos paroles le temps de l’appel, et une courte note en garde le résultat.'

/** The debt is not mentioned before the identity of the listener is known. */
const callTemplate = (
  question: string,
  ...more: ((values: Pick<TemplateValues, 'creditor'>) => string)[]
): Template => ({
  subject: values =>
    `Bonjour, je suis une intelligence artificielle et je vous appelle pour ${values.caller}.`,
  isSubjectFixed: true,
  opening: () => question,
  blocks: (content, opening) => {
    const mandate = spokenMandate(content)
    return [
      paragraph(fr`${identityQuestion(content)} Si ce n’est pas le cas, dites-le-moi et je m’arrête là.`),
      paragraph(callNotice),
      mandate === null ? null : paragraph(mandate),
      paragraph(callSubject(content)),
      paragraph(opening),
      ...more.map(say => paragraph(say({ creditor: content.creditor.name }))),
      paragraph(
        fr`Nos e-mails pour ${content.creditor.name} contiennent un lien pour payer, choisir une date ou contester. Si vous ne souhaitez plus être appelé, dites-le-moi. Merci, et au revoir.`,
      ),
    ]
  },
})

export const frenchSms: LanguageTexts['sms'] = { sms_reminder: smsTemplate, extra_message: smsTemplate }

export const frenchCalls: LanguageTexts['voice'] = {
  ai_call: callTemplate(
    fr`Avez-vous déjà payé ? Sinon, à quelle date pensez-vous payer ?`,
    () =>
      'Une facture non reçue, une validation en attente ou un désaccord peut retenir le paiement. Dans ce cas, dites-le-moi. Et si quelqu’un d’autre s’en occupe, dites-moi à qui m’adresser.',
  ),
  ai_call_2: callTemplate(
    fr`Avez-vous déjà payé ? Sinon, quelle date ou quels montants vous conviendraient ?`,
    ({ creditor }) =>
      fr`Je transmets votre réponse à ${creditor}, qui vous répondra : je ne peux rien accepter à sa place.`,
  ),
  extra_message: callTemplate(
    'Si c’est déjà fait, merci de ne pas tenir compte de cet appel. Sinon, dites-moi si une question ou un désaccord retient le paiement.',
  ),
}
