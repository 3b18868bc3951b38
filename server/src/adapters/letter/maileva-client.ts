import { DAY } from '../../domain/time.ts'
import { at, type HttpProviderOptions, httpProvider, listAt, type Reply, textAt } from '../http-provider.ts'

export interface MailevaOptions extends HttpProviderOptions {
  tokenUrl: string
  clientId: string
  clientSecret: string
  username: string
  password: string
  /** Who sends qualified electronic letters, as Maileva has identified it; without it there are none. */
  electronicSenderId?: string | undefined
  wall: () => number
}

/** Paper, and the qualified electronic registered letter: the same steps in two places. */
export const places = {
  paper: '/registered_mail/v4/sendings',
  electronic: '/electronic_qualified_registered_mail/v1/sendings',
} as const

export interface Sending {
  id: string
  status: string
}

/** A token is asked for again a little before it ends. */
const marginMs = 30_000
const pageOf = 50
/** Pages overlap: a draft that is thrown away meanwhile moves the others up, and one could slip between two pages. */
const stride = 40
/** How much earlier than the message its letter can have been begun. */
const beforeMs = 7 * DAY

export function mailevaClient(options: MailevaOptions) {
  const provider = httpProvider('maileva', options)
  const tokens = httpProvider('maileva', { ...options, baseUrl: options.tokenUrl.replace(/\/[^/]*$/, '') })
  const tokenPath = options.tokenUrl.slice(options.tokenUrl.lastIndexOf('/'))
  let token: { text: string; until: number } | null = null
  let asking: Promise<string | Reply> | null = null

  async function askToken(): Promise<string | Reply> {
    const { clientId, clientSecret, username, password } = options
    const reply = await tokens.ask({
      method: 'POST',
      path: tokenPath,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'password', username, password }).toString(),
    })
    const text = reply.status === 200 ? textAt(reply.json, 'access_token') : undefined
    // A refused account answers 400 (RFC 6749 §5.2); whatever is wrong with it is not wrong with the letter.
    if (!text) return reply.status === 400 ? { ...reply, status: 401 } : reply
    const seconds = Number(textAt(reply.status === 200 && reply.json, 'expires_in')) || 60
    token = { text, until: options.wall() + seconds * 1_000 - marginMs }
    return text
  }

  async function tokenNow(): Promise<string | Reply> {
    if (token && token.until > options.wall()) return token.text
    // Many letters that begin together need one token.
    asking ??= askToken().finally(() => {
      asking = null
    })
    return asking
  }

  async function ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    content?: { type: string; body: string | Buffer },
    beforeAsking = async () => {},
  ): Promise<Reply> {
    const bearer = await tokenNow()
    if (typeof bearer !== 'string') return bearer
    await beforeAsking()
    const reply = await provider.ask({
      method,
      path,
      headers: {
        authorization: `Bearer ${bearer}`,
        accept: 'application/json',
        ...(content && { 'content-type': content.type }),
      },
      ...(content && { body: content.body }),
    })
    if (reply.status === 401) token = null
    return reply
  }

  /**
   * Every letter with this code. Maileva cannot be asked for it, only for all there are: its list is read from the newest
   * letter back to a week before this one, or as many pages as one has patience for.
   */
  async function named(
    place: string,
    { code, at: moment }: { code: string; at: number },
    pagesMost: number,
  ): Promise<{ found: Sending[]; isWhole: boolean } | Reply> {
    const page = (start: number) => ask('GET', `${place}?start_index=${start}&count=${pageOf}`)
    const born = (sending: unknown) => Date.parse(textAt(sending, 'creation_date') ?? '')
    const first = await page(1)
    if (first.status !== 200) return first
    const total = Number(at(first.json, 'paging', 'total_results') ?? 0)
    const rows = listAt(first.json, 'sendings')
    const isNewestFirst = !(born(rows[0]) < born(rows.at(-1)))
    const starts = Array.from({ length: Math.max(Math.ceil(total / stride), 1) }, (_, i) => 1 + i * stride)
    const found: Sending[] = []
    for (const [read, start] of (isNewestFirst ? starts : starts.reverse()).entries()) {
      if (read === pagesMost) return { found, isWhole: false }
      const reply = start === 1 ? first : await page(start)
      if (reply.status !== 200) return reply
      const sendings = listAt(reply.json, 'sendings')
      for (const sending of sendings) {
        const id = textAt(sending, 'id')
        if (id && textAt(sending, 'custom_id') === code)
          found.push({ id, status: textAt(sending, 'status') ?? '' })
      }
      if (sendings.length > 0 && sendings.every(sending => born(sending) < moment - beforeMs)) break
    }
    return { found, isWhole: true }
  }

  return {
    provider,
    ask,
    named,
    async close() {
      await Promise.all([provider.close(), tokens.close()])
    },
  }
}

export const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) })

/** One PDF and what it is called, as a form with files. */
export function pdfForm(name: string, pdf: Buffer, boundary: string) {
  const part = (disposition: string, type: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\ncontent-type: ${type}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(part(`name="document"; filename="${name}"`, 'application/pdf')),
    pdf,
    Buffer.from(
      `\r\n${part('name="metadata"', 'application/json')}${JSON.stringify({ priority: 1, name })}\r\n--${boundary}--\r\n`,
    ),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
