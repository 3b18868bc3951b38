/** What a debtor says without promising, disputing or stopping anything. A person has to read it. */
export const saidReplies = ['payment_sent', 'invoice_not_received', 'waiting_approval', 'hand_over'] as const
export type SaidReply = (typeof saidReplies)[number]

/** What a debtor reports of their situation. Who writes to somebody in one of these may harm them. */
export const situations = ['insolvency', 'deceased', 'identity_theft', 'protected_person'] as const
export type Situation = (typeof situations)[number]

/**
 * What ends a reported situation, always recorded by a person: proceedings are on record, an heir or guardian is, the theft of the
 * identity was found true, or what was said was checked and not confirmed.
 */
export const situationDecisions = ['insolvency', 'representative', 'identity_theft', 'not_confirmed'] as const
export type SituationDecision = (typeof situationDecisions)[number]

/** What a person found in a reply, and recorded with it. */
export const replyOutcomes = ['promise', 'says_paid', 'dispute', 'wrong_person', 'other'] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]

const confirmedBy: Record<Situation, SituationDecision> = {
  insolvency: 'insolvency',
  deceased: 'representative',
  identity_theft: 'identity_theft',
  protected_person: 'representative',
}

export const decisionsFor = (situation: Situation): SituationDecision[] => [
  confirmedBy[situation],
  'not_confirmed',
]

export const isSituation = (said: string | null): said is Situation =>
  (situations as readonly (string | null)[]).includes(said)
