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
      account: 'Où vos clients paient',
      invoice: 'Une première facture',
      message: 'Un premier message envoyé',
      payment: 'Un premier paiement reçu',
    } satisfies Record<Fact, string>,
    hints: {
      address: 'Ils figurent sur chaque message.',
      account: 'Un IBAN, ou un compte pour les cartes.',
      invoice: 'Par un fichier, à la main, par l’API, ou par votre assistant.',
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
      invoice: 'By a file, by hand, by the API, or by your assistant.',
      message: 'It goes out by itself, at the first hour that is allowed.',
      payment: 'It closes the invoice and ends the reminders.',
    },
  },
)

export const sampleWords = defineWords(
  {
    offer:
      'Pour voir la console au travail\u00a0: 68 clients d’exemple, dans tous les états, après neuf semaines de relances. Rien n’est envoyé à personne.',
    deletes: 'Ce qui est dans le mode test est supprimé.',
    fill: 'Remplir avec des exemples',
    empty: 'Vider et remplir avec des exemples',
    playing: (stage: number, of: number) => `Le temps passe\u00a0: étape ${stage} sur ${of}.`,
    interrupted: 'Le remplissage s’est arrêté avant la fin.',
    again: 'Vider le mode test et recommencer',
  },
  {
    offer:
      'To see the console at work: 68 sample clients in every state, after nine weeks of reminders. Nothing is sent to anybody.',
    deletes: 'What is in the sandbox is deleted.',
    fill: 'Fill with samples',
    empty: 'Empty and fill with samples',
    playing: (stage, of) => `Time passes: stage ${stage} of ${of}.`,
    interrupted: 'It stopped before the end.',
    again: 'Empty the sandbox and begin again',
  },
)
