import { paragraph } from './block.ts'
import { frenchLabels, references, weOr } from './french-blocks.ts'
import {
  accessoriesApart,
  amountToPay,
  type Collector,
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { partyOnOneLine } from './template-writer.ts'
import { fr, withDe } from './typography.ts'

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

/** `notre lettre R-4T9K2QM du 20/05/26`: each first letter with its day. */
const lettersIn = ({ letters }: Collector, word: string, dateOf: (day: string) => string) =>
  letters.map(({ reference, day }) => `${word} ${reference} du ${dateOf(day)}`).join(', ')

const smsTemplate: Template = {
  subject: () => '',
  // Others may read the screen of a private person, so the text contains neither the word invoice nor a sum.
  opening: values =>
    values.isAskedForNumber || (values.isConsumer && values.isCollected)
      ? fr`un message vous attend :`
      : values.isConsumer
        ? fr`un message vous attend au sujet de votre dossier ${values.reference} :`
        : fr`${singularOrPlural(values, 'votre facture', 'vos factures')} ${values.reference} ${singularOrPlural(values, 'attend son paiement. Payer ou contester', 'attendent leur paiement. Répondre')} :`,
  blocks: ({ creditor, collector, link }, opening) => [
    paragraph(
      collector === null
        ? fr`${creditor.name} : ${opening} ${link}`
        : fr`${collector.name} pour ${creditor.name}, ${lettersIn(collector, 'notre lettre', shortDate)} : ${opening} ${link}`,
    ),
  ],
}

function remainingSum(content: MessageContent): string {
  const { indemnity, interest } = accessoriesApart(content)
  const sum = amountToPay(content, 'fr')
  if (indemnity + interest === 0) return sum
  return `${sum}, ${interest === 0 ? 'indemnité comprise' : indemnity === 0 ? 'intérêts compris' : 'intérêts et indemnité compris'},`
}

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
  `${partyOnOneLine(collector)}, exerce une activité de recouvrement amiable, au nom du créancier ${partyOnOneLine(creditor)}. C’est la suite de ${lettersIn(collector, 'notre lettre', longFrenchDate)}.`

/** What we store of the call: its outcome and a note, no recording and no transcript. */
const callNotice =
  'Cet appel n’est pas enregistré. Un logiciel transcrit vos paroles le temps de l’appel, et une courte note en garde le résultat.'

/** The debt is not mentioned before the identity of the listener is known. */
const callTemplate = (
  question: (values: TemplateValues) => string,
  more?: (content: MessageContent) => string | null,
): Template => ({
  subject: values =>
    values.isCollected
      ? `Bonjour, je suis une intelligence artificielle et je vous appelle pour ${values.caller}.`
      : `Bonjour, je suis une intelligence artificielle, au service ${withDe(values.caller)}.`,
  isSubjectFixed: true,
  opening: question,
  blocks: (content, opening) => {
    const mandate = spokenMandate(content)
    const rest = more?.(content) ?? null
    return [
      paragraph(fr`${identityQuestion(content)} Si ce n’est pas le cas, dites-le-moi et je m’arrête là.`),
      paragraph(callNotice),
      mandate === null ? null : paragraph(mandate),
      paragraph(callSubject(content)),
      paragraph(opening),
      rest === null ? null : paragraph(rest),
      paragraph(
        fr`Nos messages écrits${weOr(content, '', creditor => ` pour ${creditor}`)} contiennent un lien ou un code pour payer${content.isTimeBarred ? '' : ', choisir une date'} ou contester. Si vous ne souhaitez plus recevoir d’appels, dites-le-moi. Merci, et au revoir.`,
      ),
    ]
  },
})

export const frenchSms: LanguageTexts['sms'] = {
  sms_reminder: smsTemplate,
  extra_message: smsTemplate,
  written_message: smsTemplate,
}

/** Past the time bar nobody is asked for a day, which could not be recorded. */
const whenToPay =
  (question: string) =>
  ({ isTimeBarred }: TemplateValues) =>
    fr`Avez-vous déjà payé ? Sinon, ${isTimeBarred ? 'dites-moi ce qui retient le paiement.' : question}`

export const frenchCalls: LanguageTexts['voice'] = {
  ai_call: callTemplate(whenToPay(fr`à quelle date pensez-vous payer ?`), ({ debtor }) =>
    debtor.isConsumer
      ? 'Si vous n’avez pas reçu la facture, ou si vous n’êtes pas d’accord, dites-le-moi.'
      : 'Une facture non reçue, une validation en attente ou un désaccord peut retenir le paiement. Dans ce cas, dites-le-moi. Et si quelqu’un d’autre s’en occupe, dites-moi à qui m’adresser.',
  ),
  ai_call_2: callTemplate(whenToPay(fr`quelle date ou quels montants vous conviendraient ?`), content =>
    content.isTimeBarred
      ? null
      : weOr(
          content,
          'Je note vos dates et vos montants et je les transmets. Je ne peux rien accepter moi-même.',
          creditor =>
            `Je note vos dates et vos montants et je préviens ${creditor}. Je ne peux rien accepter à sa place.`,
        ),
  ),
  extra_message: callTemplate(
    () =>
      'Si c’est déjà fait, merci de ne pas tenir compte de cet appel. Sinon, dites-moi si une question ou un désaccord retient le paiement.',
  ),
}
