const english = {
  title: 'Card payments',
  intro:
    'Debtors can pay you by card. The money goes to an account of your own at Stripe, which Stripe opens for you and where it asks you who you are. It never passes through us.',
  unavailable: 'This installation does not take card payments.',
  none: 'You own no company for which they could be set up.',
  states: {
    none: 'No account has been opened yet.',
    started: 'The account is opened. Stripe still needs some information from you.',
    submitted: 'Stripe has your information and is checking it. Come back later.',
    ready: 'The account is ready. Debtors cannot pay by card until you say so.',
    in_use: 'Debtors can pay by card.',
    operator: 'The account was set up by the operator of this service.',
    unknown: 'Stripe does not answer at the moment. Come back later.',
  },
  start: 'Open an account at Stripe',
  proceed: 'Go on at Stripe',
  use: 'Let debtors pay by card',
  again: 'Card payments are set up within ten minutes of signing in.',
  againLink: 'Sign in again',
  failed: 'Stripe could not be reached, and nothing has changed. Try again in a moment.',
  back: 'Back to your account',
}

const french: typeof english = {
  title: 'Paiements par carte',
  intro:
    'Vos débiteurs peuvent vous payer par carte. L’argent va sur un compte à vous chez Stripe, que Stripe ouvre pour vous et où il vérifie qui vous êtes. Il ne passe jamais par nous.',
  unavailable: 'Cette installation n’accepte pas les paiements par carte.',
  none: 'Vous n’êtes propriétaire d’aucune entreprise pour laquelle les mettre en place.',
  states: {
    none: 'Aucun compte n’est encore ouvert.',
    started: 'Le compte est ouvert. Stripe attend encore des informations de votre part.',
    submitted: 'Stripe a vos informations et les vérifie. Revenez plus tard.',
    ready: 'Le compte est prêt. Vos débiteurs ne peuvent payer par carte que lorsque vous l’aurez décidé.',
    in_use: 'Vos débiteurs peuvent payer par carte.',
    operator: 'Le compte a été mis en place par l’exploitant de ce service.',
    unknown: 'Stripe ne répond pas pour le moment. Revenez plus tard.',
  },
  start: 'Ouvrir un compte chez Stripe',
  proceed: 'Continuer chez Stripe',
  use: 'Accepter les paiements par carte',
  again: 'Les paiements par carte se mettent en place dans les dix minutes qui suivent une connexion.',
  againLink: 'Se reconnecter',
  failed: 'Stripe n’a pas pu être joint, et rien n’a changé. Réessayez dans un instant.',
  back: 'Retour à votre compte',
}

export const cardTexts = { en: english, fr: french }
export type CardState = keyof typeof english.states
