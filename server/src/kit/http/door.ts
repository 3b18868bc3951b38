/** The same operations are served twice: `api` for keys and tokens, `console` for people who have signed in. */
export type Door = 'api' | 'console'

/** The prefix of the operations' paths. */
export const doorPrefixes: Readonly<Record<Door, string>> = { api: '', console: '/console' }
