import { randomInt } from 'node:crypto'

/** What a browser got. */
export interface Shown {
  status: number
  headers: Headers
  html: string
  /** Where it is sent on to, if it is; a visitor goes there only by going. */
  location: string | null
}

export interface ShownForm {
  action: string
  /** As they stand in the page, hidden ones included. */
  fields: Record<string, string>
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
export const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

/** The forms of a page, by their own tags. */
export function formsIn(html: string): ShownForm[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
    const fields: Record<string, string> = {}
    for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, 'name')
      if (name !== undefined) fields[name] = attribute(tag, 'value') ?? ''
    }
    for (const [, tag = '', options = ''] of form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
      const chosen = /<option\b[^>]*\sselected[^>]*>/.exec(options)?.[0] ?? ''
      fields[attribute(tag, 'name')!] = attribute(chosen, 'value') ?? ''
    }
    return { action: attribute(form, 'action') ?? '', fields }
  })
}

/** The words of a page as they are read, without its tags. */
export const wordsOf = (html: string): string =>
  unescaped(html.replace(/<head>[\s\S]*?<\/head>/, '').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

interface Options {
  /** Where the visitor comes from, behind a proxy that is believed. */
  address?: string
  acceptLanguage?: string
  agent?: string
}

export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`

/** Somebody with a browser: it keeps cookies, says where forms come from, and follows nothing by itself. */
export function newVisitor(baseUrl: string, options: Options = {}) {
  const cookies = new Map<string, string>()
  const own = {
    'x-forwarded-for': options.address ?? someAddress(),
    'accept-language': options.acceptLanguage ?? 'en',
    'user-agent': options.agent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }

  async function send(
    method: string,
    path: string,
    { body, headers = {}, at = baseUrl }: { body?: string; headers?: Record<string, string>; at?: string },
  ): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at + path, {
      method,
      redirect: 'manual',
      headers: { ...own, ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0\b/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location'),
    }
  }

  const visitor = {
    cookies,
    address: own['x-forwarded-for'],
    get: (path: string, { at = baseUrl, headers = {} } = {}) => send('GET', path, { at, headers }),
    send,
    post: (
      path: string,
      fields: Record<string, string>,
      { headers = {}, at = baseUrl }: { headers?: Record<string, string>; at?: string } = {},
    ) =>
      send('POST', path, {
        body: new URLSearchParams(fields).toString(),
        at,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: baseUrl,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      }),
    /** What the script of a page posts. */
    postJson: async (path: string, body: unknown, headers: Record<string, string> = {}, at = baseUrl) => {
      const shown = await send('POST', path, {
        body: JSON.stringify(body),
        at,
        headers: { 'content-type': 'application/json', origin: baseUrl, ...headers },
      })
      return { ...shown, body: JSON.parse(shown.html) }
    },
    /** Fills in a form of the page as it was shown, and posts it. */
    submit(shown: Shown, action: string, filled: Record<string, string> = {}, which = 0): Promise<Shown> {
      const form = formsIn(shown.html).filter(one => one.action.split('?')[0] === action)[which]
      if (!form) throw new Error(`the page has no form for ${action}: ${wordsOf(shown.html).slice(0, 300)}`)
      return visitor.post(form.action, { ...form.fields, ...filled })
    },
  }
  return visitor
}

export type Visitor = ReturnType<typeof newVisitor>
