import { randomInt } from 'node:crypto'

/** A page as a browser receives it. */
export interface PageResponse {
  status: number
  headers: Headers
  html: string
  /** The redirect target, if any; redirects are not followed. */
  location: string | null
}

export interface PageForm {
  action: string
  /** The values in the page, hidden fields included. */
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
export function formsIn(html: string): PageForm[] {
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

/** The visible text of a page, without tags. */
export const visibleText = (html: string): string =>
  unescaped(html.replace(/<head>[\s\S]*?<\/head>/, '').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

interface Options {
  /** The visitor's address, behind a trusted proxy. */
  address?: string
  acceptLanguage?: string
  agent?: string
}

export const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`

/** A simple browser: it stores cookies, sends Origin headers with forms, and follows no redirect. */
export function newVisitor(baseUrl: string, options: Options = {}) {
  const cookies = new Map<string, string>()
  const ownHeaders = {
    'x-forwarded-for': options.address ?? randomAddress(),
    'accept-language': options.acceptLanguage ?? 'en',
    'user-agent': options.agent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }

  async function send(
    method: string,
    path: string,
    { body, headers = {}, at = baseUrl }: { body?: string; headers?: Record<string, string>; at?: string },
  ): Promise<PageResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at + path, {
      method,
      redirect: 'manual',
      headers: { ...ownHeaders, ...(cookie && { cookie }), ...headers },
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
    address: ownHeaders['x-forwarded-for'],
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
      const page = await send('POST', path, {
        body: JSON.stringify(body),
        at,
        headers: { 'content-type': 'application/json', origin: baseUrl, ...headers },
      })
      return { ...page, body: JSON.parse(page.html) }
    },
    /** Fills in a form of the page as it was shown, and posts it. */
    submit(
      page: PageResponse,
      action: string,
      values: Record<string, string> = {},
      index = 0,
    ): Promise<PageResponse> {
      const form = formsIn(page.html).filter(one => one.action.split('?')[0] === action)[index]
      if (!form)
        throw new Error(`the page has no form for ${action}: ${visibleText(page.html).slice(0, 300)}`)
      return visitor.post(form.action, { ...form.fields, ...values })
    },
  }
  return visitor
}

export type Visitor = ReturnType<typeof newVisitor>
