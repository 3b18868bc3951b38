import { DAY } from '../../domain/time.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  listAt,
  type ProviderReply,
  textAt,
  valueAt,
} from '../http-provider.ts'

export interface MailevaOptions extends HttpProviderOptions {
  tokenUrl: string
  clientId: string
  clientSecret: string
  username: string
  password: string
  /** The sender of qualified electronic letters, as identified by Maileva; without it none are sent. */
  electronicSenderId?: string | undefined
  wall: () => number
}

/** Paper, and the qualified electronic registered letter: the same steps in two places. */
export const basePaths = {
  paper: '/registered_mail/v4/sendings',
  electronic: '/electronic_qualified_registered_mail/v1/sendings',
} as const

export interface Sending {
  id: string
  status: string
}

/** A token is renewed this long before it expires. */
const marginMs = 30_000
const pageSize = 50
/** Pages overlap: if a draft is deleted between two requests, the others move up, and one could be missed. */
const pageStep = 40
/** How much older than the message its letter can be. */
const searchBackMs = 7 * DAY

export function mailevaClient(options: MailevaOptions) {
  const provider = httpProvider('maileva', options)
  const tokens = httpProvider('maileva', { ...options, baseUrl: options.tokenUrl.replace(/\/[^/]*$/, '') })
  const tokenPath = options.tokenUrl.slice(options.tokenUrl.lastIndexOf('/'))
  let token: { text: string; until: number } | null = null
  let pendingToken: Promise<string | ProviderReply> | null = null

  async function fetchToken(): Promise<string | ProviderReply> {
    const { clientId, clientSecret, username, password } = options
    const reply = await tokens.request({
      method: 'POST',
      path: tokenPath,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'password', username, password }).toString(),
    })
    const text = reply.status === 200 ? textAt(reply.json, 'access_token') : undefined
    // A refused account answers 400 (RFC 6749 §5.2); it is treated as 401, because the letter is not at fault.
    if (!text) return reply.status === 400 ? { ...reply, status: 401 } : reply
    const seconds = Number(textAt(reply.status === 200 && reply.json, 'expires_in')) || 60
    token = { text, until: options.wall() + seconds * 1_000 - marginMs }
    return text
  }

  async function currentToken(): Promise<string | ProviderReply> {
    if (token && token.until > options.wall()) return token.text
    // Letters that are sent at the same time share one token request.
    pendingToken ??= fetchToken().finally(() => {
      pendingToken = null
    })
    return pendingToken
  }

  async function request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    content?: { type: string; body: string | Buffer },
    beforeRequest = async () => {},
  ): Promise<ProviderReply> {
    const bearer = await currentToken()
    if (typeof bearer !== 'string') return bearer
    await beforeRequest()
    const reply = await provider.request({
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
   * Reads the list from the newest letter backwards, up to `pagesMax` pages or until a whole page is older than `backTo`. Returns
   * the failed reply, or whether everything was read. Maileva cannot filter; pages overlap, so a letter may come twice.
   */
  async function readNewest(
    basePath: string,
    backTo: number,
    pagesMax: number,
    onLetter: (letter: unknown, createdAt: number) => void,
  ): Promise<ProviderReply | { isWhole: boolean }> {
    const page = (start: number) => request('GET', `${basePath}?start_index=${start}&count=${pageSize}`)
    const createdAt = (sending: unknown) => Date.parse(textAt(sending, 'creation_date') ?? '')
    const first = await page(1)
    if (first.status !== 200) return first
    const total = Number(valueAt(first.json, 'paging', 'total_results') ?? 0)
    const rows = listAt(first.json, 'sendings')
    const isNewestFirst = !(createdAt(rows[0]) < createdAt(rows.at(-1)))
    const starts = Array.from(
      { length: Math.max(Math.ceil(total / pageStep), 1) },
      (_, i) => 1 + i * pageStep,
    )
    for (const [read, start] of (isNewestFirst ? starts : starts.reverse()).entries()) {
      if (read === pagesMax) return { isWhole: false }
      const reply = start === 1 ? first : await page(start)
      if (reply.status !== 200) return reply
      const sendings = listAt(reply.json, 'sendings')
      for (const sending of sendings) onLetter(sending, createdAt(sending))
      if (sendings.length > 0 && sendings.every(sending => createdAt(sending) < backTo)) break
    }
    return { isWhole: true }
  }

  /** Finds all letters with this code, back to a week before the message. */
  async function findByCode(
    basePath: string,
    { code, at: moment }: { code: string; at: number },
    pagesMax: number,
  ): Promise<{ found: Sending[]; isWhole: boolean } | ProviderReply> {
    const found: Sending[] = []
    const read = await readNewest(basePath, moment - searchBackMs, pagesMax, sending => {
      const id = textAt(sending, 'id')
      if (id && textAt(sending, 'custom_id') === code)
        found.push({ id, status: textAt(sending, 'status') ?? '' })
    })
    return 'isWhole' in read ? { found, ...read } : read
  }

  return {
    provider,
    ask: request,
    named: findByCode,
    readNewest,
    async close() {
      await Promise.all([provider.close(), tokens.close()])
    },
  }
}

export const jsonContent = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) })

/** One PDF and its name, as a multipart form. */
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
