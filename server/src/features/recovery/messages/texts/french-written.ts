import { daysToPay } from '../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph } from './block.ts'
import { frenchAnswers } from './french-answers.ts'
import {
  about,
  action,
  alreadyPaid,
  answer,
  frenchLabels,
  payment,
  question,
  sum,
  theInvoices,
  write,
} from './french-blocks.ts'
import { agree, type Notice, type Said, type Template, type Words } from './notice.ts'
import { partyOnOneLine } from './written.ts'

type By = 'email' | 'lrar'

const ofTheInvoices = (of: Said) => agree(of, 'de la facture suivante', 'des factures suivantes')

const notPaidYet = (notice: Notice) =>
  paragraph(
    `Sauf erreur de notre part, ${agree(notice, 'elle n’est pas réglée', 'elles ne sont pas réglées')} à ce jour. ${alreadyPaid}`,
  )

const payOrAnswer = (by: By) => (notice: Notice) => [payment(notice), answer(notice, by)]

const reminder = (by: By): Template =>
  write({
    subject: said => `rappel, ${about(said)}`,
    opening: said => `${said.creditor} nous demande de vous rappeler ${theInvoices(said)} :`,
    ask: notice => [notPaidYet(notice)],
    after: payOrAnswer(by),
    data: 'full',
  })

const sequel = ({ creditor, mayNameCourt }: Notice) =>
  mayNameCourt
    ? `${creditor.name} pourra porter l’affaire devant le tribunal compétent.`
    : `${creditor.name} se réserve le droit de faire valoir sa créance par les moyens que la loi lui donne.`

const thisOne = (by: By) => (by === 'lrar' ? 'cette lettre' : 'ce message')

// A formal notice without a time limit would be none.
const terms = (notice: Notice, by: By): Block => ({
  kind: 'facts',
  title: `${by === 'lrar' ? 'Cette lettre' : 'Ce message'} vaut mise en demeure de payer :`,
  rows: [
    ['Créancier', partyOnOneLine(notice.creditor)],
    ['Débiteur', partyOnOneLine(notice.debtor)],
    ['Principal', sum(notice)],
    ['Délai', `${notice.payWithinDays ?? daysToPay} jours à compter de la réception de ${thisOne(by)}`],
    [
      'Fait',
      `${notice.creditor.city === null ? 'le' : `à ${notice.creditor.city}, le`} ${frenchLabels.date(notice.today)}`,
    ],
  ],
})

const formalNotice = (by: By): Template =>
  write({
    subject: said => `mise en demeure de payer, ${about(said)}`,
    isSubjectFixed: true,
    opening: said =>
      `Sauf erreur de notre part, ${said.creditor}, pour qui nous vous écrivons, n’a pas reçu le règlement ${ofTheInvoices(said)} :`,
    ask: notice => [
      terms(notice, by),
      paragraph(
        `À défaut de paiement dans ce délai, ${sequel(notice)} Si vous avez déjà payé, ${thisOne(by)} est sans objet.`,
      ),
    ],
    after: payOrAnswer(by),
    data: 'full',
  })

const notReceived = (said: Said) =>
  `Sauf erreur de notre part, ${said.creditor} n’a pas reçu le règlement ${ofTheInvoices(said)} :`

export const frenchEmails: Words['email'] = {
  email_prise_en_charge: write({
    subject: said => `${about(said)} en attente de règlement`,
    opening: said =>
      `Nous vous écrivons pour ${said.creditor}, qui nous confie le suivi ${ofTheInvoices(said)} :`,
    ask: notice => [notPaidYet(notice)],
    after: payOrAnswer('email'),
    data: 'full',
  }),

  relance_email_1: write({
    subject: said => `rappel, ${about(said)}`,
    opening: said => `Nous nous permettons de vous rappeler, pour ${said.creditor}, ${theInvoices(said)} :`,
    ask: notice => [
      paragraph(
        `Il s’agit peut-être d’un simple oubli : merci de ${agree(notice, 'la', 'les')} régler dès que vous le pourrez. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_2: write({
    subject: said => `règlement attendu, ${about(said)}`,
    opening: said =>
      `Sauf erreur de notre part, ${said.creditor} n’a toujours pas reçu votre règlement ${ofTheInvoices(said)} :`,
    ask: () => [
      paragraph(
        `Nous vous demandons de régler sans attendre ou, si quelque chose s’y oppose, de nous dire quoi et à quelle date vous paierez. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_3: write({
    subject: said => `dernier rappel, ${about(said)}`,
    opening: notReceived,
    ask: () => [
      paragraph(
        `Ce message est le dernier rappel avant une éventuelle mise en demeure ; il n’en est pas une. ${alreadyPaid}`,
      ),
    ],
    after: notice => [
      paragraph(
        `Vous ne pouvez pas tout régler en une fois ? Un paiement en plusieurs fois est possible : proposez des montants et des dates en répondant à ce message, ${notice.creditor.name} vous répondra.`,
      ),
      ...payOrAnswer('email')(notice),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: write({
    subject: said => `dernier avis, ${about(said)}`,
    opening: notReceived,
    ask: notice => [
      paragraph(
        `Ce message est notre dernier avis amiable. Sans règlement ni réponse de votre part, ${
          notice.mayNameCourt ? sequel(notice) : `${notice.creditor.name} décidera de la suite à donner.`
        } ${alreadyPaid}`,
      ),
    ],
    after: notice => [
      paragraph('Une solution reste possible : un paiement en plusieurs fois, une date, une explication.'),
      ...payOrAnswer('email')(notice),
    ],
    data: 'short',
  }),

  // It asks for nothing, so it neither says "owed" nor how to pay.
  closing_notice: write({
    subject: said => `fin de notre suivi, ${about(said)}`,
    opening: said => `Nous suivions, pour ${said.creditor}, le règlement ${ofTheInvoices(said)} :`,
    ask: notice => [
      paragraph(
        `Ce suivi est clos. Vous ne recevrez plus de message de notre part au sujet de ${agree(notice, 'cette facture', 'ces factures')}, et celui-ci ne vous demande rien.`,
      ),
    ],
    link: notice => ({
      ...action(notice),
      lead: 'Par ce lien, vous pouvez revoir le dossier à tout moment.',
      label: 'Voir le dossier',
    }),
    after: notice => [question(notice)],
    data: 'short',
    labels: { ...frenchLabels, overdueSince: 'Échéance', owed: 'Solde' },
  }),

  extra_message: reminder('email'),
  ...frenchAnswers,
}

export const frenchLetters: Words['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
}
