import { daysToPay } from '../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph } from './block.ts'
import { frenchAnswers } from './french-answers.ts'
import {
  alreadyPaid,
  answerBlock,
  frenchLabels,
  invoiceSummary,
  linkBlock,
  paymentBlock,
  questionBlock,
  sum,
  theInvoices,
  writeTemplate,
} from './french-blocks.ts'
import {
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { partyOnOneLine } from './template-writer.ts'

type By = 'email' | 'lrar'

const ofTheInvoices = (values: TemplateValues) =>
  singularOrPlural(values, 'de la facture suivante', 'des factures suivantes')

const notPaidYet = (content: MessageContent) =>
  paragraph(
    `Sauf erreur de notre part, ${singularOrPlural(content, 'elle n’est pas réglée', 'elles ne sont pas réglées')} à ce jour. ${alreadyPaid}`,
  )

const payOrAnswer = (by: By) => (content: MessageContent) => [paymentBlock(content), answerBlock(content, by)]

const reminder = (by: By): Template =>
  writeTemplate({
    subject: values => `rappel, ${invoiceSummary(values)}`,
    opening: values => `${values.creditor} nous demande de vous rappeler ${theInvoices(values)} :`,
    ask: content => [notPaidYet(content)],
    after: payOrAnswer(by),
    data: 'full',
  })

const consequence = ({ creditor, mayNameCourt }: MessageContent) =>
  mayNameCourt
    ? `${creditor.name} pourra porter l’affaire devant le tribunal compétent.`
    : `${creditor.name} se réserve le droit de faire valoir sa créance par les moyens que la loi lui donne.`

const thisMessage = (by: By) => (by === 'lrar' ? 'cette lettre' : 'ce message')

// A formal notice must contain a time limit.
const formalNoticeTerms = (content: MessageContent, by: By): Block => ({
  kind: 'facts',
  title: `${by === 'lrar' ? 'Cette lettre' : 'Ce message'} vaut mise en demeure de payer :`,
  rows: [
    ['Créancier', partyOnOneLine(content.creditor)],
    ['Débiteur', partyOnOneLine(content.debtor)],
    ['Principal', sum(content)],
    ['Délai', `${content.payWithinDays ?? daysToPay} jours à compter de la réception de ${thisMessage(by)}`],
    [
      'Fait',
      `${content.creditor.city === null ? 'le' : `à ${content.creditor.city}, le`} ${frenchLabels.date(content.today)}`,
    ],
  ],
})

const formalNotice = (by: By): Template =>
  writeTemplate({
    subject: values => `mise en demeure de payer, ${invoiceSummary(values)}`,
    isSubjectFixed: true,
    opening: values =>
      `Sauf erreur de notre part, ${values.creditor}, pour qui nous vous écrivons, n’a pas reçu le règlement ${ofTheInvoices(values)} :`,
    ask: content => [
      formalNoticeTerms(content, by),
      paragraph(
        `À défaut de paiement dans ce délai, ${consequence(content)} Si vous avez déjà payé, ${thisMessage(by)} est sans objet.`,
      ),
    ],
    after: payOrAnswer(by),
    data: 'full',
  })

const paymentNotReceived = (values: TemplateValues) =>
  `Sauf erreur de notre part, ${values.creditor} n’a pas reçu le règlement ${ofTheInvoices(values)} :`

export const frenchEmails: LanguageTexts['email'] = {
  email_prise_en_charge: writeTemplate({
    subject: values => `${invoiceSummary(values)} en attente de règlement`,
    opening: values =>
      `Nous vous écrivons pour ${values.creditor}, qui nous confie le suivi ${ofTheInvoices(values)} :`,
    ask: content => [notPaidYet(content)],
    after: payOrAnswer('email'),
    data: 'full',
  }),

  relance_email_1: writeTemplate({
    subject: values => `rappel, ${invoiceSummary(values)}`,
    opening: values =>
      `Nous nous permettons de vous rappeler, pour ${values.creditor}, ${theInvoices(values)} :`,
    ask: content => [
      paragraph(
        `Il s’agit peut-être d’un simple oubli : merci de ${singularOrPlural(content, 'la', 'les')} régler dès que vous le pourrez. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_2: writeTemplate({
    subject: values => `règlement attendu, ${invoiceSummary(values)}`,
    opening: values =>
      `Sauf erreur de notre part, ${values.creditor} n’a toujours pas reçu votre règlement ${ofTheInvoices(values)} :`,
    ask: () => [
      paragraph(
        `Nous vous demandons de régler sans attendre ou, si quelque chose s’y oppose, de nous dire quoi et à quelle date vous paierez. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_3: writeTemplate({
    subject: values => `dernier rappel, ${invoiceSummary(values)}`,
    opening: paymentNotReceived,
    ask: () => [
      paragraph(
        `Ce message est le dernier rappel avant une éventuelle mise en demeure ; il n’en est pas une. ${alreadyPaid}`,
      ),
    ],
    after: content => [
      paragraph(
        `Vous ne pouvez pas tout régler en une fois ? Un paiement en plusieurs fois est possible : proposez ${content.creditor.hearsReplies ? `des montants et des dates en répondant à ce message, ${content.creditor.name} vous répondra` : 'une date par le lien ci-dessus'}.`,
      ),
      ...payOrAnswer('email')(content),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: writeTemplate({
    subject: values => `dernier avis, ${invoiceSummary(values)}`,
    opening: paymentNotReceived,
    ask: content => [
      paragraph(
        `Ce message est notre dernier avis amiable. Sans règlement ni réponse de votre part, ${
          content.mayNameCourt
            ? consequence(content)
            : `${content.creditor.name} décidera de la suite à donner.`
        } ${alreadyPaid}`,
      ),
    ],
    after: content => [
      paragraph('Une solution reste possible : un paiement en plusieurs fois, une date, une explication.'),
      ...payOrAnswer('email')(content),
    ],
    data: 'short',
  }),

  // It asks for nothing: it says neither "owed" nor how to pay.
  closing_notice: writeTemplate({
    subject: values => `fin de notre suivi, ${invoiceSummary(values)}`,
    opening: values => `Nous suivions, pour ${values.creditor}, le règlement ${ofTheInvoices(values)} :`,
    ask: content => [
      paragraph(
        `Ce suivi est clos. Vous ne recevrez plus de message de notre part au sujet de ${singularOrPlural(content, 'cette facture', 'ces factures')}, et celui-ci ne vous demande rien.`,
      ),
    ],
    link: content => ({
      ...linkBlock(content),
      lead: 'Par ce lien, vous pouvez revoir le dossier à tout moment.',
      label: 'Voir le dossier',
    }),
    after: content => [questionBlock(content)],
    data: 'short',
    labels: { ...frenchLabels, overdueSince: 'Échéance', owed: 'Solde' },
  }),

  extra_message: reminder('email'),
  ...frenchAnswers,
}

export const frenchLetters: LanguageTexts['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
}
