/** How long after signing in passkeys, keys, members and where money goes may be changed. */
const freshMs = 10 * 60_000

/** Whether the sign-in is recent: after a longer time somebody else may use the browser. */
export const isRecentSignIn = (signedInAt: number, wall: number): boolean => signedInAt > wall - freshMs

export const freshUntil = (signedInAt: number): number => signedInAt + freshMs
