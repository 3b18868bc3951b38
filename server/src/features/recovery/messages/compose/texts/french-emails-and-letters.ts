import type { Following } from '../../../../../domain/recovery/cascade.ts'
import { daysToPay } from '../../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph, strongParagraph } from './block.ts'
import { frenchAnswers, paymentReceipt } from './french-answers.ts'
import {
  answerBlock,
  frenchLabels,
  hardshipBlock,
  invoiceSummary,
  justPaid,
  linkBlock,
  questionBlock,
  theInvoices,
  weOr,
  writeTemplate,
} from './french-blocks.ts'
import { accountBlock, accountNote } from './layout.ts'
import {
  amountToPay,
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { type By, partyOnOneLine } from './template-writer.ts'
import { fr, withDe } from './typography.ts'

const ofTheInvoices = (values: TemplateValues) =>
  singularOrPlural(values, 'de la facture suivante', 'des factures suivantes')

/** Written by the creditor itself, or by a collector in its name. */
const notReceived = (values: TemplateValues, still = '') =>
  values.isCollected
    ? fr`À ce jour, ${values.creditor} n’a ${still}pas reçu le paiement ${ofTheInvoices(values)} :`
    : fr`À ce jour, nous n’avons ${still}pas reçu le paiement ${ofTheInvoices(values)} :`

const remindOf = (values: TemplateValues) =>
  values.isCollected
    ? fr`Au nom ${withDe(values.creditor)}, nous vous rappelons ${theInvoices(values)} :`
    : fr`Nous vous rappelons ${theInvoices(values)} :`

const reminder = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `rappel, ${invoiceSummary(values)}`,
    opening: remindOf,
    ask: content => [
      content.words
        ? null
        : paragraph(
            `${weOr(content, 'À ce jour, nous n’avons pas reçu votre paiement.', creditor => `À ce jour, ${creditor} n’a pas reçu votre paiement.`)} ${justPaid}`,
          ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

function consequence(content: MessageContent): string {
  if (content.mayNameCourt)
    return weOr(
      content,
      'nous pourrons demander en justice le paiement de cette somme.',
      creditor => `${creditor} pourra demander en justice le paiement de cette somme.`,
    )
  if (content.following !== 'nothing') return 'nous poursuivrons nos rappels.'
  return weOr(
    content,
    'nous arrêterons nos rappels et déciderons de la suite.',
    creditor => `nous arrêterons nos rappels, et ${creditor} décidera de la suite.`,
  )
}

/** "Last" is said of a message only if no other one follows. */
const thirdReminder: Record<Following, { subject: string; ask: (content: MessageContent) => string }> = {
  nothing: {
    subject: 'dernier rappel',
    ask: content =>
      `Ce message est notre dernier rappel. ${weOr(content, 'Ensuite, nous déciderons de la suite.', creditor => `Ensuite, ${creditor} décidera de la suite.`)}`,
  },
  formal_notice: {
    subject: 'dernier rappel avant mise en demeure',
    ask: () => 'Ce message est notre dernier rappel avant une mise en demeure.',
  },
  contact: {
    subject: 'nouveau rappel',
    ask: () => 'Ce message est un nouveau rappel. Il n’est pas une mise en demeure.',
  },
}

const thisMessage = (by: By) => (by === 'lrar' ? 'cette lettre' : 'ce message')

// The whole sum, a time limit, the parties and the date: art. 1344 C. civ. A letter has the parties and its date at the top.
const demand = (content: MessageContent, by: By): Block[] => [
  strongParagraph(
    `${weOr(content, 'Nous', creditor => `Au nom ${withDe(creditor)}, nous`)} vous mettons en demeure de payer ${amountToPay(content, 'fr')} dans les ${content.payWithinDays ?? daysToPay} jours suivant la réception de ${thisMessage(by)} (article 1344 du Code civil).`,
  ),
  ...(by === 'lrar'
    ? []
    : [
        {
          kind: 'facts' as const,
          title: null,
          rows: [
            ['Créancier', partyOnOneLine(content.creditor)],
            ['Débiteur', partyOnOneLine(content.debtor)],
            ['Date', frenchLabels.date(content.today)],
          ] as const,
        },
      ]),
]

const formalNotice = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `mise en demeure de payer, ${invoiceSummary(values)}`,
    isSubjectFixed: true,
    opening: values => notReceived(values),
    ask: content => [
      ...demand(content, by),
      paragraph(
        `Sans paiement ni réponse dans ce délai, ${consequence(content)} Si vous avez déjà payé, ${thisMessage(by)} est sans objet.`,
      ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

/** Past the time bar nobody is led to acknowledge the debt. */
const orLater = (content: MessageContent, text: string): Block | null =>
  content.isTimeBarred ? null : paragraph(text)

function whetherOwed(content: MessageContent): string {
  const owed = content.about?.owed
  if (owed === 'no')
    return singularOrPlural(content, 'Cette facture n’est plus due.', 'Ces factures ne sont plus dues.')
  // The next sentence says that nothing is asked.
  if (content.isNothingAsked) return ''
  if (owed === 'yes')
    return fr`Nous arrêtons nos rappels ; ${singularOrPlural(content, 'la facture reste due', 'les factures restent dues')}.`
  return `Il ne dit pas si ${singularOrPlural(content, 'la facture reste due', 'les factures restent dues')}. Pour le savoir, posez-nous la question.`
}

const firstLetter = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `${invoiceSummary(values)} en attente de paiement`,
    opening: values =>
      values.isCollected
        ? fr`${values.creditor} nous a chargés du recouvrement amiable ${ofTheInvoices(values)} :`
        : notReceived(values),
    ask: content => [
      paragraph(
        weOr(
          content,
          justPaid,
          creditor =>
            `À ce jour, ${creditor} n’a pas reçu votre paiement. Merci de payer cette somme. ${justPaid}`,
        ),
      ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

export const frenchEmails: LanguageTexts['email'] = {
  email_prise_en_charge: firstLetter('email'),

  relance_email_1: writeTemplate({
    subject: values => `rappel, ${invoiceSummary(values)}`,
    opening: remindOf,
    ask: content => [
      paragraph(
        fr`C’est peut-être un simple oubli : merci de ${singularOrPlural(content, 'la', 'les')} payer dès que possible. ${justPaid}`,
      ),
    ],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'short',
  }),

  relance_email_2: writeTemplate({
    subject: values => `paiement attendu, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'toujours '),
    ask: content => [
      paragraph(
        fr`Merci de payer maintenant. Si quelque chose vous en empêche, dites-le-nous${content.isTimeBarred ? '.' : fr` et indiquez une date : nous en tiendrons compte.`} ${justPaid}`,
      ),
    ],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'short',
  }),

  relance_email_3: writeTemplate({
    subject: values => `${thirdReminder[values.following].subject}, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'toujours '),
    ask: content => [paragraph(`${thirdReminder[content.following].ask(content)} ${justPaid}`)],
    after: content => [
      orLater(
        content,
        content.creditor.receivesReplies
          ? fr`Vous ne pouvez pas tout payer d’un coup ? Proposez des montants et des dates en répondant à ce message : ${weOr(content, 'nous étudierons votre proposition.', creditor => `${creditor} étudiera votre proposition.`)}`
          : fr`Vous ne pouvez pas payer maintenant ? Choisissez une date par le lien ci-dessus.`,
      ),
      answerBlock(content, 'email'),
      hardshipBlock(content),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: writeTemplate({
    subject: values =>
      `${values.following === 'nothing' ? 'dernier avis' : 'avis'}, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'toujours '),
    ask: content => [
      paragraph(
        `Ce message est ${content.following === 'nothing' ? 'notre dernier' : 'un'} avis amiable. Sans paiement ni réponse de votre part, ${consequence(content)} ${justPaid}`,
      ),
    ],
    after: content => [
      paragraph(
        fr`Il est encore temps de trouver une solution : ${content.isTimeBarred ? '' : 'choisissez une date, ou '}dites-nous ce qui retient le paiement.`,
      ),
      answerBlock(content, 'email'),
      hardshipBlock(content),
    ],
    data: 'short',
  }),

  // It asks for nothing and does not mention what is still owed.
  closing_notice: writeTemplate({
    subject: values => `fin de notre suivi, facture ${values.reference}`,
    opening: values =>
      values.isCollected
        ? fr`Nous suivions, pour ${values.creditor}, le paiement ${ofTheInvoices(values)} :`
        : fr`Nous suivions le paiement ${ofTheInvoices(values)} :`,
    ask: content => [
      paragraph(
        `Ce suivi est clos. Vous ne recevrez plus de message à ce sujet, et celui-ci ne vous demande rien. ${whetherOwed(content)}`.trimEnd(),
      ),
    ],
    link: content => ({
      ...linkBlock(content),
      lead: 'Vous pouvez revoir le dossier en ligne.',
      label: 'Voir le dossier',
    }),
    headline: ({ about }) => (about?.owed === 'no' ? ['Cette facture', 'n’est plus due'] : undefined),
    after: content => [questionBlock(content)],
    data: 'short',
    labels: { ...frenchLabels, overdueSince: 'Échéance', balanceOnly: 'Solde de la facture' },
  }),

  extra_message: reminder('email'),
  written_message: reminder('email'),
  account_statement: writeTemplate({
    subject: values => `relevé de compte, ${invoiceSummary(values)}`,
    opening: values =>
      values.isCollected
        ? fr`Voici toutes vos factures ouvertes chez ${values.creditor}, et d’abord ${theInvoices(values)} :`
        : fr`Voici toutes vos factures ouvertes chez nous, et d’abord ${theInvoices(values)} :`,
    ask: content => [accountBlock(content, frenchLabels), accountNote(content, frenchLabels)],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'full',
  }),
  ...frenchAnswers,
}

export const frenchLetters: LanguageTexts['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
  // A collector's first letter goes on paper where no email can be sent, whatever step the recovery has reached.
  payment_receipt: paymentReceipt('lrar'),
  email_prise_en_charge: firstLetter('lrar'),
  relance_email_1: reminder('lrar'),
  relance_email_2: reminder('lrar'),
  relance_email_3: reminder('lrar'),
  email_dernier_avis: reminder('lrar'),
}
