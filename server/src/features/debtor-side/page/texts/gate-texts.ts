import type { Language } from '../../../access/people/texts/page-texts.ts'
import { withDe, withQue } from '../../../recovery/messages/compose/texts/typography.ts'

const triesLeft = (left: number) => (left === 1 ? 'One try is left.' : `${left} tries are left.`)
const frenchTriesLeft = (left: number) => (left === 1 ? 'Il reste un essai.' : `Il reste ${left} essais.`)

const english = {
  gate: {
    title: (creditor: string) => `A message from ${creditor} is waiting for you`,
    why: 'This page holds personal information. To protect it, we ask one question first.',
    label: { postal_code: 'Your postal code', invoice_number: 'The number of your invoice' },
    hint: {
      postal_code: (creditor: string) => `That of the address that ${creditor} has for you.`,
      invoice_number: (creditor: string) => `It is printed on the invoice from ${creditor}.`,
    },
    submit: 'Continue',
    kept: (minutes: number) =>
      `We do not keep your answer. A cookie keeps this page open in this browser for ${minutes} minutes.`,
    faults: {
      empty: { postal_code: 'Enter your postal code.', invoice_number: 'Enter the number of the invoice.' },
      wrong: {
        postal_code: (left: number) => `This is not the postal code we have. ${triesLeft(left)}`,
        invoice_number: (left: number) => `This is not the number we have. ${triesLeft(left)}`,
      },
    },
  },
  closedLink: {
    title: 'This link is closed',
    text: 'Five answers did not match. To protect personal information, this link no longer opens.',
    contact: (creditor: string) => `${creditor} can help you:`,
    telephone: 'Telephone',
    email: 'Email',
    newLink: 'If we write to you again, that message will have a new link.',
  },
}

const french: typeof english = {
  gate: {
    title: creditor => `Un message ${withDe(creditor)} vous attend`,
    why: 'Cette page contient des informations personnelles. Pour les protéger, nous posons d’abord une question.',
    label: { postal_code: 'Votre code postal', invoice_number: 'Le numéro de votre facture' },
    hint: {
      postal_code: creditor => `Celui de l’adresse ${withQue(creditor)} connaît pour vous.`,
      invoice_number: creditor => `Il est écrit sur la facture ${withDe(creditor)}.`,
    },
    submit: 'Continuer',
    kept: minutes =>
      `Nous ne gardons pas votre réponse. Un cookie garde cette page ouverte ${minutes} minutes dans ce navigateur.`,
    faults: {
      empty: {
        postal_code: 'Indiquez votre code postal.',
        invoice_number: 'Indiquez le numéro de la facture.',
      },
      wrong: {
        postal_code: left => `Ce n’est pas le code postal que nous connaissons. ${frenchTriesLeft(left)}`,
        invoice_number: left => `Ce n’est pas le numéro que nous connaissons. ${frenchTriesLeft(left)}`,
      },
    },
  },
  closedLink: {
    title: 'Ce lien est fermé',
    text: 'Cinq réponses ne correspondaient pas. Pour protéger des informations personnelles, ce lien ne s’ouvre plus.',
    contact: creditor => `${creditor} peut vous aider\u00a0:`,
    telephone: 'Téléphone',
    email: 'E-mail',
    newLink: 'Si nous vous écrivons à nouveau, ce message aura un nouveau lien.',
  },
}

/** The question of a link, and the link that is closed. */
export const gateTexts: Record<Language, typeof english> = { fr: french, en: english }
