import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { englishLabels } from '../../recovery/messages/compose/texts/english-blocks.ts'
import { longFrenchDate } from '../../recovery/messages/compose/texts/french-sms-and-calls.ts'

/** What the program itself says in a call. Confirmations come from the program, not from the model. */
export interface CallTexts {
  /** Said while the model is slow. */
  oneMoment: string
  again: string
  noted: string
  /** The note of a call in which no model spoke; it is shown in the history. */
  preparedTextRead: string
  goodbye: string
  identity: {
    /** To a business: the person who answers may not be in charge of invoices. */
    isInCharge: string
    /** To a consumer. */
    postalCode: string
    notVerified: string
    /** To a consumer without a known postal code. */
    messageWaits: (caller: string) => string
    /** Said while another person is called to the phone. */
    waiting: string
  }
  promise: {
    /** As on the debtor's page: art. 2240 C. civ. A sum only if a part was promised. */
    ask: (day: LocalDate, sum: string | null) => string
    recorded: (day: LocalDate) => string
    refused: string
  }
  /** Said when the model is unavailable and the person is not identified. */
  cannotGoOn: string
  /** The last sentence of a call, by outcome. */
  endsWith: Partial<Record<CallOutcome, (creditor: string) => string>>
}

export const callTexts: Record<'fr' | 'en', CallTexts> = {
  fr: {
    oneMoment: 'Un instant, s’il vous plaît.',
    again: 'Pardon, pouvez-vous le dire autrement ?',
    noted: 'C’est noté.',
    preparedTextRead: 'Le texte préparé a été lu.',
    goodbye: 'Merci de votre temps. Au revoir.',
    identity: {
      isInCharge: 'Est-ce bien vous qui suivez les factures des fournisseurs ?',
      postalCode: 'Pour vérifier que je parle à la bonne personne, quel est votre code postal ?',
      notVerified: 'Je n’ai pas pu vérifier à qui je parle. Je m’arrête donc là. Merci, et au revoir.',
      messageWaits: caller =>
        `${caller} a un message pour vous. Je ne peux pas vous le lire au téléphone. Merci, et au revoir.`,
      waiting: 'Merci, je patiente.',
    },
    promise: {
      ask: (day, sum) =>
        `Vous annoncez un paiement${sum === null ? '' : ` de ${sum}`} pour le ${longFrenchDate(day)}. Annoncer un paiement, c’est reconnaître la dette. Le confirmez-vous, oui ou non ?`,
      recorded: day => `C’est noté : paiement prévu le ${longFrenchDate(day)}. Avez-vous une question ?`,
      refused: 'Je n’ai pas pu l’enregistrer\u00a0: cette date n’est donc pas notée.',
    },
    cannotGoOn: 'Je ne peux pas poursuivre cet appel. Veuillez m’excuser de vous avoir dérangé. Au revoir.',
    endsWith: {
      opt_out: () => 'C’est noté : nous ne vous appellerons plus. Au revoir.',
      wrong_person: () =>
        'Veuillez m’excuser de vous avoir dérangé : ce numéro ne sera plus utilisé pour ce dossier. Au revoir.',
      // Nothing is said to an answering machine: others may hear it.
      voicemail: () => '',
      hand_over: creditor =>
        `Je note votre demande et je préviens ${creditor}. D’ici à ce qu’elle soit lue, vous ne recevrez pas de rappel. Au revoir.`,
    },
  },
  en: {
    oneMoment: 'One moment, please.',
    again: 'Sorry, could you say that another way?',
    noted: 'I have noted that.',
    preparedTextRead: 'The prepared text was read.',
    goodbye: 'Thank you for your time. Goodbye.',
    identity: {
      isInCharge: 'Is it you who looks after suppliers’ invoices?',
      postalCode: 'To check that I am speaking to the right person, what is your postal code?',
      notVerified: 'I could not check to whom I am speaking, so I will stop here. Thank you, and goodbye.',
      messageWaits: caller =>
        `${caller} has a message for you. I cannot read it to you on the telephone. Thank you, and goodbye.`,
      waiting: 'Thank you, I will wait.',
    },
    promise: {
      ask: (day, sum) =>
        `You announce a payment${sum === null ? '' : ` of ${sum}`} on ${englishLabels.date(day)}. To announce a payment is to acknowledge the debt. Do you confirm it, yes or no?`,
      recorded: day => `Noted: payment planned on ${englishLabels.date(day)}. Do you have a question?`,
      refused: 'I could not record it, so that day is not noted.',
    },
    cannotGoOn: 'I cannot go on with this call. I am sorry to have disturbed you. Goodbye.',
    endsWith: {
      opt_out: () => 'Noted: we will not call you again. Goodbye.',
      wrong_person: () =>
        'I am sorry to have disturbed you: this number will not be used any more for this case. Goodbye.',
      voicemail: () => '',
      hand_over: creditor =>
        `I will note your request and tell ${creditor}. You won’t be reminded until it has been read. Goodbye.`,
    },
  },
}
