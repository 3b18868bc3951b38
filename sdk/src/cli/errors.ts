import { advice } from '../generated/commands.ts'
import { RelanceError } from '../index.ts'

/** The command line is wrong. */
export class UsageError extends Error {}
/** There is no credential that could be used. */
export class AuthError extends Error {}
/** The command ran, but did not fully succeed. */
export class RefusedError extends Error {}

export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  refused: 5,
  network: 6,
  busy: 7,
  interrupted: 130,
} as const

function kindOf({ status }: RelanceError): keyof typeof exitCodes {
  if (status === 0) return 'network'
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'notFound'
  if (status === 423 || status === 429 || status === 503) return 'busy'
  return status >= 500 ? 'fault' : 'refused'
}

/** Removes control characters: a name in an answer must not control the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

const nextStep = (error: RelanceError): string | undefined => {
  if (error.status === 0) return 'Check the address (BASE_URL, --base-url) and the network, then try again.'
  if (error.requiredScopes.length > 0)
    return `Use a credential with the scopes ${error.requiredScopes.join(', ')}.`
  if (error.code === 'AUTH_002' || error.code === 'AUTH_003')
    return 'Run `relance login` again, or check API_KEY and BASE_URL.'
  return advice[error.code]
}

/** What went wrong in a sentence, what to do about it, and which request it was. */
export function explain(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: error.message, code: exitCodes.usage }
  if (error instanceof AuthError) return { text: error.message, code: exitCodes.auth }
  if (error instanceof RefusedError) return { text: error.message, code: exitCodes.refused }
  if (!(error instanceof RelanceError)) {
    const cause =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : error
    const isNetwork = error instanceof TypeError && error.message === 'fetch failed'
    return { text: printable(String(cause)), code: isNetwork ? exitCodes.network : exitCodes.fault }
  }
  const { code, details, requestId } = error
  // The network error is the cause of the error of `fetch`.
  const met = ((error.cause as Error | undefined)?.cause as NodeJS.ErrnoException | undefined)?.code
  const message = met ? error.message.replace('fetch failed', met) : error.message
  const next = nextStep(error)
  const lines = [
    `${message} (${code}${requestId ? `, request ${requestId}` : ''})`,
    ...details.map(detail => `  ${detail.field}: ${detail.message}`),
    ...(next ? [`→ ${next}`] : []),
  ]
  return { text: lines.map(printable).join('\n'), code: exitCodes[kindOf(error)] }
}
