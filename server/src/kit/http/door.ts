/** The same operations have two doors: one for keys and tokens, and one for people who have signed in. */
export type Door = 'api' | 'console'

/** What the paths of the operations begin with at each door. */
export const doorPrefixes: Readonly<Record<Door, string>> = { api: '', console: '/console' }
