import { defineWords } from '../../lib/language.tsx'

export const facts = ['address', 'account', 'invoice', 'message', 'payment'] as const
export type Fact = (typeof facts)[number]

export const words = defineWords(
  {
    title: 'Vos premiers pas',
    about: 'Cinq choses à voir une fois. Cette liste disparaît ensuite.',
    done: 'fait',
    open: 'à faire',
    names: {
      address: 'L’adresse et le SIREN de votre société',
      account: 'Où vos débiteurs paient',
      invoice: 'Une première facture',
      message: 'Un premier message parti',
      payment: 'Un premier paiement reçu',
    } satisfies Record<Fact, string>,
    hints: {
      address: 'Ils figurent sur chaque message.',
      account: 'Un IBAN, ou un compte pour les cartes.',
      invoice: 'Par l’API, par un fichier, ou par votre assistant.',
      message: 'Il part seul, à la première heure permise.',
      payment: 'Il clôt la facture et arrête les relances.',
    } satisfies Record<Fact, string>,
  },
  {
    title: 'Your first steps',
    about: 'Five things to see once. This list goes away afterwards.',
    done: 'done',
    open: 'to do',
    names: {
      address: 'The address and SIREN of your company',
      account: 'Where your debtors pay',
      invoice: 'A first invoice',
      message: 'A first message sent',
      payment: 'A first payment that arrived',
    },
    hints: {
      address: 'They are on every message.',
      account: 'An IBAN, or an account for cards.',
      invoice: 'By the API, by a file, or by your assistant.',
      message: 'It goes out by itself, at the first hour that is allowed.',
      payment: 'It closes the invoice and ends the reminders.',
    },
  },
)
