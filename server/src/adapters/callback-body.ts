/** Undefined when the body is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whether a text has the format of a message code. It does not check that the code exists. */
export const isOurCode = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z0-9]{2}[\w-]{18}$/.test(text)

/** The code in a link or callback address of ours, wherever in the text it is. */
export const codeIn = (text: string): string | null =>
  /\/(?:d|calls|callbacks\/[\w-]+)\/([a-z0-9]{2}[\w-]{18})(?![\w-])/.exec(text)?.[1] ?? null
