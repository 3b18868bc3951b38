/** Of a message that a provider was given, or refused. */
export const triedStates = ['sent', 'delivered', 'bounced', 'failed', 'unknown'] as const
export type TriedState = (typeof triedStates)[number]

/** Of a message that may have left: what is heard of it later counts. */
export const leftStates: readonly string[] = triedStates.filter(state => state !== 'failed')
