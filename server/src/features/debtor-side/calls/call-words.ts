import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'

/** What the program itself says on the telephone. What was done is said by who did it, not by the model. */
export interface CallWords {
  /** Somebody waits for an answer. */
  oneMoment: string
  again: string
  noted: string
  goodbye: string
  /** The model is away, and who listens has not said who they are. */
  cannotGoOn: string
  /** How a call ends that ends with this. */
  endsWith: Partial<Record<CallOutcome, (creditor: string) => string>>
}

export const callWords: Record<'fr' | 'en', CallWords> = {
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
      // Nothing is left on a machine: others may hear it.
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
