import { daysToPay } from '../../../domain/formal-notice.ts'
import {
  about,
  agree,
  alreadyPaid,
  answer,
  frenchLabels,
  payment,
  question,
  sum,
  theInvoices,
  write,
} from './french-blocks.ts'
import type { Notice, Text, Words } from './notice.ts'

const reminder = (notice: Notice, by: 'email' | 'lrar'): Text =>
  write(notice, {
    subject: `rappel, ${about(notice)}`,
    before: `${notice.creditor.name} nous demande de vous rappeler ${theInvoices(notice)} :`,
    after: [
      `Sauf erreur de notre part, ${agree(notice, "elle n'est pas réglée", 'elles ne sont pas réglées')} à ce jour. ${alreadyPaid}`,
      payment(notice),
      answer(notice, by),
    ],
    data: 'full',
  })

const sequel = ({ creditor, mayNameCourt }: Notice) =>
  mayNameCourt
    ? `${creditor.name} pourra porter l'affaire devant le tribunal compétent.`
    : `${creditor.name} se réserve le droit de faire valoir sa créance par les moyens que la loi lui donne.`

function formalNotice(notice: Notice, by: 'email' | 'lrar'): Text {
  const { creditor, debtor } = notice
  const thisOne = by === 'lrar' ? 'cette lettre' : 'ce message'
  // A formal notice without a time limit would be none.
  const days = notice.payWithinDays ?? daysToPay
  return write(notice, {
    subject: `mise en demeure de payer, ${about(notice)}`,
    before: `Sauf erreur de notre part, ${creditor.name}, pour qui nous vous écrivons, n'a pas reçu le règlement ${agree(notice, 'de la facture suivante', 'des factures suivantes')} :`,
    after: [
      `${by === 'lrar' ? 'Cette lettre' : 'Ce message'} vaut mise en demeure de payer :

  Créancier    ${creditor.name}
  Débiteur     ${debtor.name}
  Principal    ${sum(notice)}
  Délai        ${days} jours à compter de la réception de ${thisOne}`,
      payment(notice),
      `À défaut de paiement dans ce délai, ${sequel(notice)} Si vous avez déjà payé, ${thisOne} est sans objet.`,
      answer(notice, by),
    ],
    data: 'full',
  })
}

export const frenchEmails: Words['email'] = {
  email_prise_en_charge: notice =>
    write(notice, {
      subject: `${about(notice)} en attente de règlement`,
      before: `Nous vous écrivons pour ${notice.creditor.name}, qui nous confie le suivi ${agree(notice, 'de la facture suivante', 'des factures suivantes')} :`,
      after: [
        `Sauf erreur de notre part, ${agree(notice, "elle n'est pas réglée", 'elles ne sont pas réglées')} à ce jour. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'full',
    }),

  relance_email_1: notice =>
    write(notice, {
      subject: `rappel, ${about(notice)}`,
      before: `Nous nous permettons de vous rappeler, pour ${notice.creditor.name}, ${theInvoices(notice)} :`,
      after: [
        `Il s'agit peut-être d'un simple oubli : merci de ${agree(notice, 'la', 'les')} régler dès que vous le pourrez. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  relance_email_2: notice =>
    write(notice, {
      subject: `règlement attendu, ${about(notice)}`,
      before: `Sauf erreur de notre part, ${notice.creditor.name} n'a toujours pas reçu votre règlement. Voici le relevé de ce qui est dû :`,
      after: [
        `Nous vous demandons de régler ${agree(notice, 'cette facture', 'ces factures')} sans attendre ou, si quelque chose s'y oppose, de nous dire quoi et à quelle date vous paierez. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  relance_email_3: notice =>
    write(notice, {
      subject: `dernier rappel, ${about(notice)}`,
      before: `Sauf erreur de notre part, ${notice.creditor.name} n'a pas reçu le règlement ${agree(notice, 'de la facture suivante', 'des factures suivantes')} :`,
      after: [
        `Ce message est le dernier rappel avant une éventuelle mise en demeure ; il n'en est pas une. ${alreadyPaid}`,
        `Vous ne pouvez pas tout régler en une fois ? Un paiement en plusieurs fois est possible : proposez des montants et des dates en répondant à ce message, ${notice.creditor.name} vous répondra.`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  lrar_mise_en_demeure: notice => formalNotice(notice, 'email'),

  email_dernier_avis: notice =>
    write(notice, {
      subject: `dernier avis, ${about(notice)}`,
      before: `Sauf erreur de notre part, ${notice.creditor.name} n'a pas reçu le règlement ${agree(notice, 'de la facture suivante', 'des factures suivantes')} :`,
      after: [
        `Ce message est notre dernier avis amiable. ${
          notice.mayNameCourt
            ? `Sans règlement ni réponse de votre part, ${sequel(notice)}`
            : `Sans règlement ni réponse de votre part, ${notice.creditor.name} décidera de la suite à donner.`
        } ${alreadyPaid}`,
        'Une solution reste possible : un paiement en plusieurs fois, une date, une explication.',
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  // It asks for nothing, so it neither says "owed" nor how to pay.
  closing_notice: notice =>
    write(notice, {
      subject: `fin de notre suivi, ${about(notice)}`,
      before: `Nous suivions, pour ${notice.creditor.name}, le règlement ${agree(notice, 'de la facture suivante', 'des factures suivantes')} :`,
      after: [
        `Ce suivi est clos. Vous ne recevrez plus de message de notre part au sujet de ${agree(notice, 'cette facture', 'ces factures')}, et celui-ci ne vous demande rien.`,
        question(notice),
      ],
      data: 'short',
      labels: { ...frenchLabels, overdueSince: 'Échéance', owed: 'Solde' },
    }),

  extra_message: notice => reminder(notice, 'email'),
}

export const frenchLetters: Words['lrar'] = {
  lrar_mise_en_demeure: notice => formalNotice(notice, 'lrar'),
  extra_message: notice => reminder(notice, 'lrar'),
}
