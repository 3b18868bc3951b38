import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../sdk/src/webhooks.ts'
import { type Role, roles } from '../src/features/access/roles.ts'
import { Html, html } from '../src/kit/http/html.ts'
import type { Mailbox, ReceivedMail } from './mailbox.ts'

interface Options {
  mailbox: Mailbox
  /** The environment variables that a shell needs to call the API. */
  exports: Readonly<Record<string, string>>
  /** Other addresses worth opening. */
  links: readonly { name: string; url: string }[]
  /** Returns the cookie of a person with this role. */
  signIn(role: Role): Promise<string>
  /** The URL that a browser opens after signing in. */
  consoleUrl: string
}

interface Delivery {
  receivedAt: string
  event: string
  isSigned: boolean
  headers: [name: string, value: string][]
  body: string
}

const deliveriesMax = 500
const bodyMaxBytes = 1_000_000

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0 auto; max-width: 72rem; padding: 1rem }
  nav a { margin-right: 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8885; vertical-align: top }
  pre { overflow: auto; padding: .8rem; background: #8882; border-radius: .4rem }
  .views { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
  iframe { border: 1px solid #8888; border-radius: .4rem; background: #fff; height: 56rem }
  .desktop { width: 680px } .phone { width: 390px; max-width: 100% }
  figure { margin: 0 } figcaption { color: #888 }`

const page = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${new Html(style)}</style>
<nav><a href="/">Development</a><a href="/mails">Mails</a><a href="/webhooks">Webhooks</a></nav>
<h1>${title}</h1>${body}</html>`

const startPage = ({ exports, links }: Options, secret: string): Html =>
  page(
    'Relance in development',
    html`<h2>For your shell</h2><pre>${Object.entries(exports)
      .map(([name, value]) => `export ${name}=${value}`)
      .join('\n')}</pre>
<h2>Sign in to the console</h2><ul>${roles.map(role => html`<li><a href="/sign-in/${role}?with=${secret}">as ${role}</a></li>`)}</ul>
<h2>Open</h2><ul>${links.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>`,
  )

const mailsPage = (mails: readonly ReceivedMail[]): Html =>
  page(
    'Mails received',
    mails.length === 0
      ? html`<p>None yet. Reload after your first invoice; nothing here leaves this machine.</p>`
      : html`<table><tr><th>Received<th>To<th>Subject</tr>${mails
          .map(
            (mail, i) =>
              html`<tr><td>${mail.receivedAt.slice(11, 19)}<td>${mail.to}<td><a href="/mails/${i}">${mail.subject}</a></tr>`,
          )
          .reverse()}</table>`,
  )

const mailPage = (mail: ReceivedMail, i: number): Html => {
  const view = (name: string) =>
    html`<figure><figcaption>${name}</figcaption><iframe class="${name}" sandbox="allow-popups" title="${name}" src="/mails/${i}/html"></iframe></figure>`
  return page(
    mail.subject,
    html`<p>From ${mail.fromName} &lt;${mail.from}&gt; to ${mail.to}, ${mail.receivedAt}</p>
${mail.html ? html`<div class="views">${[view('desktop'), view('phone')]}</div>` : null}<h2>As text</h2><pre>${mail.text}</pre>`,
  )
}

const webhooksPage = (deliveries: readonly Delivery[]): Html =>
  page(
    'Webhooks received',
    deliveries.length === 0
      ? html`<p>None yet. Both environments send all their events here.</p>`
      : html`${deliveries.toReversed().map(
          ({ receivedAt, event, isSigned, headers, body }) =>
            html`<details><summary>${receivedAt.slice(11, 19)} <b>${event}</b> ${isSigned ? 'signature verified' : 'SIGNATURE WRONG'}</summary><pre>${headers
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}

${body}</pre></details>`,
        )}`,
  )

/** Formats JSON; other text stays as it is. */
function shown(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export interface DevPages {
  url: string
  /** Opens the console, signed in. */
  signInUrl: string
  /** The URL that receives webhooks; `addSecret` adds a secret to verify their signatures with. */
  receiverUrl: string
  addSecret(secret: string): void
  deliveries(): readonly Delivery[]
  stop(): Promise<void>
}

/** Pages for developers: mails as the recipient sees them, received webhooks, and people to sign in as. */
export async function startDevPages(options: Options): Promise<DevPages> {
  const { mailbox, signIn, consoleUrl } = options
  const secret = randomBytes(16).toString('base64url')
  const secrets: string[] = []
  const deliveries: Delivery[] = []

  async function receive(request: IncomingMessage): Promise<number> {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > bodyMaxBytes) return 413
      parts.push(part)
    }
    const body = Buffer.concat(parts).toString('utf8')
    const event = await verifyWebhook(secrets, request.headers, body).catch(() => null)
    deliveries.push({
      receivedAt: new Date().toISOString(),
      event: event?.event ?? 'not an event of ours',
      isSigned: event !== null,
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      body: shown(body),
    })
    if (deliveries.length > deliveriesMax) deliveries.shift()
    return 204
  }

  function show({ pathname }: URL): Html | string | null {
    const mails = mailbox.messages()
    const [, section, which = '', view] = pathname.split('/')
    if (pathname === '/') return startPage(options, secret)
    if (pathname === '/webhooks') return webhooksPage(deliveries)
    if (pathname === '/mails') return mailsPage(mails)
    const mail = section === 'mails' ? mails[Number(which)] : undefined
    if (mail && view === 'html') return mail.html
    if (mail && view === undefined) return mailPage(mail, Number(which))
    return null
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '' } = request.headers
    // DNS rebinding: a foreign page may point its own host name at this address, and could then read these pages.
    if (!/^(?:localhost|127\.0\.0\.1):\d+$/.test(host)) {
      response.writeHead(403).end()
      return
    }
    const url = new URL(request.url ?? '/', `http://${host}`)
    if (request.method === 'POST') {
      response.writeHead(await receive(request)).end()
      return
    }
    const role = roles.find(name => url.pathname === `/sign-in/${name}`)
    if (role && url.searchParams.get('with') === secret) {
      response.writeHead(303, { location: consoleUrl, 'set-cookie': await signIn(role) }).end()
      return
    }
    const found = show(url)
    response.writeHead(found === null ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:; frame-src 'self'",
    })
    response.end(found instanceof Html ? found.text : (found ?? 'There is nothing here.'))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`${error}\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://localhost:${port}`
  return {
    url,
    signInUrl: `${url}/sign-in/owner?with=${secret}`,
    receiverUrl: `http://127.0.0.1:${port}/hooks`,
    addSecret: added => void secrets.push(added),
    deliveries: () => deliveries,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
