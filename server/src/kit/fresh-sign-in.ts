/** How long after signing in a person may change passkeys, keys, members and the payout. */
const freshMs = 10 * 60_000

/** Whether the sign-in is recent: later, another person may use the browser. */
export const isRecentSignIn = (signedInAt: number, wall: number): boolean => signedInAt > wall - freshMs

export const freshUntil = (signedInAt: number): number => signedInAt + freshMs
