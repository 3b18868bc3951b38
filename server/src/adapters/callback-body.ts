/** Undefined: whoever sent it, it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The shape of the codes we give to messages; whether one lives is asked elsewhere. */
export const isOurCode = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z0-9]{2}[\w-]{18}$/.test(text)
