/** States of a message that was handed to a provider, or refused by it. */
export const triedStates = ['sent', 'delivered', 'bounced', 'failed', 'unknown'] as const
export type TriedState = (typeof triedStates)[number]

/** States of a message that may have been sent: later receipts count. */
export const leftStates: readonly string[] = triedStates.filter(state => state !== 'failed')
