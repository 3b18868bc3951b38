import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'

/** What the program itself says in a call. Confirmations come from the program, not from the model. */
export interface CallTexts {
  /** Said while the model takes its time. */
  oneMoment: string
  again: string
  noted: string
  goodbye: string
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
    goodbye: 'Merci de votre temps. Au revoir.',
    cannotGoOn: 'Je ne peux pas poursuivre cet appel. Veuillez m’excuser de vous avoir dérangé. Au revoir.',
    endsWith: {
      opt_out: () => 'C’est noté : nous ne vous appellerons plus. Au revoir.',
      wrong_person: () =>
        'Veuillez m’excuser de vous avoir dérangé : ce numéro ne sera plus utilisé. Au revoir.',
      // Nothing is said to an answering machine: others may hear it.
      voicemail: () => '',
      hand_over: creditor =>
        `Je transmets votre demande à ${creditor} ; je ne peux pas promettre quand on vous répondra. Au revoir.`,
    },
  },
  en: {
    oneMoment: 'One moment, please.',
    again: 'Sorry, could you say that another way?',
    noted: 'I have noted that.',
    goodbye: 'Thank you for your time. Goodbye.',
    cannotGoOn: 'I cannot go on with this call. I am sorry to have disturbed you. Goodbye.',
    endsWith: {
      opt_out: () => 'Noted: we will not call you again. Goodbye.',
      wrong_person: () => 'I am sorry to have disturbed you: this number will not be used any more. Goodbye.',
      voicemail: () => '',
      hand_over: creditor =>
        `I will pass your request on to ${creditor}; I cannot promise when they will answer. Goodbye.`,
    },
  },
}
