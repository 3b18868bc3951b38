/** The outcomes of a call, weakest first. A later, weaker outcome never replaces a stronger one. */
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
