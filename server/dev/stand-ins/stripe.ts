import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripeAccounts } from './stripe-accounts.ts'
import { events, metadataOf, newStripeId, type Session } from './stripe-events.ts'

type Fault = '429' | '500' | 'timeout_after_accepting' | 'hang_up_after_accepting'

interface Delivery {
  /** How often the same event is sent. */
  times?: number
  /** Signed with a wrong secret. */
  isForged?: boolean
  /** The age of the signature. */
  ageSeconds?: number
  /** A second secret, as during a rotation. */
  alsoSignedWith?: string
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>

const required = ['mode', 'success_url', 'line_items[0][price_data][currency]', 'line_items[0][quantity]']
const knownFields =
  /^(mode|locale|client_reference_id|customer_email|success_url|cancel_url|metadata\[\w+\]|payment_intent_data\[(description|metadata\]\[\w+)\]|line_items\[0\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[name))\])$/

const text = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString('utf8')
const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function problemWith(form: URLSearchParams): { param: string; code: string } | null {
  const missing = required.find(field => !form.get(field))
  if (missing) return { param: missing, code: 'parameter_missing' }
  const unknownField = [...form.keys()].find(field => !knownFields.test(field))
  if (unknownField) return { param: unknownField, code: 'parameter_unknown' }
  const amount = form.get('line_items[0][price_data][unit_amount]') ?? ''
  if (!/^\d+$/.test(amount) || Number(amount) < 50) return { param: 'amount', code: 'amount_too_small' }
  if (!/^[a-z]{3}$/.test(form.get('line_items[0][price_data][currency]')!))
    return { param: 'currency', code: 'invalid_currency' }
  return null
}

/** Speaks Stripe's documented protocol on loopback, with a page on which a card payment can be simulated. Moves no money. */
export async function startStripe(options: {
  secretKey: string
  webhookSecret: string
  /** The URL that receives events after a payment; may be set later. */
  webhookUrl?: string
}) {
  let webhookUrl = options.webhookUrl ?? null
  let base = ''
  const sessions = new Map<string, Session>()
  const byKey = new Map<string, { body: string; session: Session }>()
  const accounts = stripeAccounts(() => base)
  const faults: Fault[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; body: string }[] = []

  const signed = (body: string, { isForged, ageSeconds = 0, alsoSignedWith }: Delivery) => {
    const t = Math.floor(Date.now() / 1000) - ageSeconds
    const sign = (secret: string) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    const own = sign(isForged ? 'whsec_of_somebody_else' : options.webhookSecret)
    return `t=${t},${alsoSignedWith ? `v1=${sign(alsoSignedWith)},` : ''}v1=${own},v0=ignored`
  }

  /** Sends an event; returns the status of each delivery. */
  async function send(event: object, delivery: Delivery = {}): Promise<number[]> {
    const body = JSON.stringify(event)
    const statuses: number[] = []
    for (let i = 0; i < (delivery.times ?? 1); i++) {
      const answer = await fetch(webhookUrl!, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signed(body, delivery),
        },
        body,
      })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    return statuses
  }

  const json = (reply: ServerResponse, status: number, body: object, headers = {}) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const refuse = (reply: ServerResponse, status: number, error: object) =>
    json(reply, status, { error: { type: 'invalid_request_error', ...error } })
  const isKnown = (request: IncomingMessage) =>
    request.headers.authorization === `Bearer ${options.secretKey}`

  async function createSession(request: IncomingMessage, reply: ServerResponse) {
    const body = await text(request)
    requests.push({ path: request.url!, headers: request.headers, body })
    const { 'idempotency-key': key, 'stripe-account': account, 'content-type': type } = request.headers
    if (!isKnown(request)) return refuse(reply, 401, { code: 'api_key_invalid' })
    if (type !== 'application/x-www-form-urlencoded') return refuse(reply, 400, { code: 'not_a_form' })
    if (typeof account !== 'string' || !account.startsWith('acct_'))
      return refuse(reply, 403, { code: 'account_invalid' })
    if (typeof key !== 'string') return refuse(reply, 400, { code: 'no_idempotency_key' })
    const fault = faults.shift()
    if (fault === '429') return refuse(reply, 429, { type: 'api_error', code: 'rate_limit' })
    if (fault === '500') return reply.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    const earlier = byKey.get(key)
    if (earlier && earlier.body !== body) return refuse(reply, 400, { type: 'idempotency_error' })
    const form = new URLSearchParams(body)
    const problem = problemWith(form)
    if (problem) return refuse(reply, 400, problem)
    const id = newStripeId('cs_test')
    const session = earlier?.session ?? {
      id,
      url: `${base}/c/pay/${id}`,
      intent: newStripeId('pi'),
      account,
      amount: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]')!,
      form,
      status: 'open' as const,
    }
    sessions.set(session.id, session)
    byKey.set(key, { body, session })
    if (fault === 'hang_up_after_accepting') return request.socket.destroy()
    if (fault === 'timeout_after_accepting') return
    const answer = { id: session.id, object: 'checkout.session', url: session.url, status: session.status }
    json(reply, 200, answer, earlier && { 'idempotent-replayed': 'true' })
  }

  /** Only an open session can be expired. */
  async function expireSession(request: IncomingMessage, reply: ServerResponse, id: string) {
    const session = sessions.get(id)
    if (!isKnown(request)) return refuse(reply, 401, { code: 'api_key_invalid' })
    if (faults.shift()) return reply.writeHead(500).end()
    if (!session || request.headers['stripe-account'] !== session.account)
      return refuse(reply, 404, { code: 'resource_missing' })
    if (session.status !== 'open') return refuse(reply, 400, {})
    session.status = 'expired'
    json(reply, 200, { id, object: 'checkout.session', status: 'expired' })
    if (webhookUrl) await send(events.expired(session)).catch(() => {})
  }

  function showPage(reply: ServerResponse, session: Session) {
    const label = session.form.get('line_items[0][price_data][product_data][name]') ?? ''
    const amount = `${(session.amount / 100).toFixed(2)} ${session.currency.toUpperCase()}`
    const button = (action: string, caption: string) =>
      `<form method="post" action="/c/pay/${session.id}/${action}"><button>${caption}</button></form>`
    reply
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title>
<h1>${escaped(label)}</h1><p>${amount}</p>${button('pay', 'Pay')}${button('cancel', 'Cancel')}</html>`)
  }

  /** Accounts, account links and the onboarding page; undefined for all other paths. */
  async function answerAboutAccounts(request: IncomingMessage, pathname: string) {
    const isPost = request.method === 'POST'
    const [, onboarding, token = ''] = /^\/setup\/c\/(\w+)\/(\w+)$/.exec(pathname) ?? []
    if (onboarding) return accounts.visit(onboarding, token, isPost)
    const [, account] = /^\/v1\/accounts\/(\w+)$/.exec(pathname) ?? []
    const isList = pathname === '/v1/accounts' || pathname === '/v1/account_links'
    if (!(isPost ? isList : account)) return undefined
    if (!isKnown(request)) return { status: 401, body: { error: { type: 'invalid_request_error' } } }
    if (account) return accounts.find(account)
    const body = await text(request)
    requests.push({ path: request.url!, headers: request.headers, body })
    const fault = faults.shift()
    if (fault) return { status: 500, body: { error: { type: 'api_error' } } }
    const form = new URLSearchParams(body)
    return pathname === '/v1/accounts'
      ? accounts.create(form, request.headers['idempotency-key'])
      : accounts.link(form)
  }

  async function answer(request: IncomingMessage, reply: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://local')
    const known = await answerAboutAccounts(request, pathname)
    if (known && 'location' in known) return reply.writeHead(303, { location: known.location }).end()
    if (known && 'page' in known) return reply.writeHead(200, { 'content-type': 'text/html' }).end(known.page)
    if (known) return json(reply, known.status, known.body)
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions')
      return createSession(request, reply)
    const expired = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(pathname)?.[1]
    if (request.method === 'POST' && expired) return expireSession(request, reply, expired)
    const intent = /^\/v1\/payment_intents\/(\w+)$/.exec(pathname)?.[1]
    if (request.method === 'GET' && intent) {
      const session = [...sessions.values()].find(one => one.intent === intent)
      if (!isKnown(request)) return refuse(reply, 401, { code: 'api_key_invalid' })
      if (!session || request.headers['stripe-account'] !== session.account)
        return refuse(reply, 404, { code: 'resource_missing' })
      return json(reply, 200, { id: intent, object: 'payment_intent', metadata: metadataOf(session) })
    }
    const [, id = '', action] = /^\/c\/pay\/(\w+)(?:\/(pay|cancel))?$/.exec(pathname) ?? []
    const session = sessions.get(id)
    if (!session) return refuse(reply, 404, { code: 'resource_missing' })
    if (!action) return showPage(reply, session)
    const location = session.form.get(action === 'pay' ? 'success_url' : 'cancel_url') ?? '/'
    if (session.status === 'expired') return refuse(reply, 410, { code: 'session_expired' })
    if (action === 'pay' && session.status === 'open') {
      session.status = 'complete'
      if (webhookUrl) await send(events.completed(session))
    }
    reply.writeHead(303, { location }).end()
  }

  const server = createServer((request, reply) => {
    answer(request, reply).catch(error => {
      if (!reply.headersSent) reply.writeHead(500)
      reply.end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: base,
    requests,
    sessions: () => [...sessions.values()],
    accounts: () => accounts.all(),
    /** The next requests for a session fail, one with each fault. */
    fail: (...next: Fault[]) => void faults.push(...next),
    setWebhookUrl: (url: string) => {
      webhookUrl = url
    },
    events,
    send,
    signed: (event: object, delivery: Delivery = {}) => {
      const body = JSON.stringify(event)
      return { body: Buffer.from(body), headers: { 'stripe-signature': signed(body, delivery) } }
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
