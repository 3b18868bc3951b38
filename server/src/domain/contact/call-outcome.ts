/** What can come of a call, the weakest first: what was heard later never hides what weighs more. */
export const callOutcomes = [
  'unreachable',
  'nothing_agreed',
  'voicemail',
  'hand_over',
  'waiting_approval',
  'invoice_not_received',
  'payment_sent',
  'promise',
  'dispute',
  'wrong_person',
  'opt_out',
] as const
export type CallOutcome = (typeof callOutcomes)[number]
