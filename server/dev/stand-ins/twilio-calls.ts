import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlacedCall {
  sid: string
  to: string
  from: string
  /** The URL that returns the TwiML after the call is answered. */
  answerUrl: string
  /** The TwiML it returned; empty until the call is answered. */
  twiml: string
  /** The URL that receives its status callbacks. */
  statusCallback: string
  form: Record<string, string[]>
  createdAt: string
  /** The callbacks sent so far. */
  callbacks: { url: string; form: Record<string, string> }[]
}

/** How the next calls are handled; by default the last digits of the called number decide. */
export type Mood = 'accept' | 'invalid' | 'too_many' | 'failing' | 'silent' | 'hangs_up' | 'drops'

const moodByNumber: Record<string, Mood> = {
  '000001': 'invalid',
  '000002': 'too_many',
  '000003': 'silent',
  '000004': 'hangs_up',
  '000005': 'failing',
  '000006': 'drops',
}

const refusals: Partial<Record<Mood, { status: number; code: number }>> = {
  invalid: { status: 400, code: 21_211 },
  too_many: { status: 429, code: 20_429 },
  failing: { status: 500, code: 20_500 },
}

const unescaped: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** The value of an attribute in the call's TwiML, unescaped as by an XML parser. */
export const attributeOf = ({ twiml }: Pick<PlacedCall, 'twiml'>, name: string): string =>
  (new RegExp(` ${name}="([^"]*)"`).exec(twiml)?.[1] ?? '').replaceAll(
    /&(?:amp|lt|gt|quot|apos);|&#(\d+);/g,
    (entity, number) => (number ? String.fromCodePoint(Number(number)) : unescaped[entity]!),
  )

/** A signature like Twilio's, over the URL and the form fields in the order of their names. */
export const signatureOf = (authToken: string, url: string, form: Record<string, string> = {}): string =>
  createHmac('sha1', authToken)
    .update(
      url +
        Object.keys(form)
          .sort()
          .map(name => name + form[name])
          .join(''),
    )
    .digest('base64')

/** Posts a form as Twilio does. */
const postSigned = (authToken: string, url: string, form: Record<string, string>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signatureOf(authToken, url, form),
    },
    body: new URLSearchParams(form).toString(),
  })

/** The call is answered: Twilio reports by whom and fetches the TwiML. Nothing is spoken before that. */
export async function pickUp(
  call: PlacedCall,
  { authToken, answeredBy = 'human' }: { authToken: string; answeredBy?: string },
): Promise<Response> {
  const response = await postSigned(authToken, call.answerUrl, {
    CallSid: call.sid,
    CallStatus: 'in-progress',
    AnsweredBy: answeredBy,
  })
  call.twiml = response.ok ? await response.text() : ''
  return response
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export type TwilioCalls = Awaited<ReturnType<typeof startTwilioCalls>>

/** Twilio's part in a call, on loopback: accepts calls, lists them, and sends signed callbacks about them. */
export async function startTwilioCalls({
  accountSid = `AC${'0'.repeat(32)}`,
  authToken = 'twilio-auth-token',
  port = 0,
}: {
  accountSid?: string
  authToken?: string
  port?: number
} = {}) {
  const calls: PlacedCall[] = []
  const account = `/2010-04-01/Accounts/${accountSid}`
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  let mood: Mood | null = null

  const answer = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  function placeCall(fields: URLSearchParams): PlacedCall {
    const form: Record<string, string[]> = {}
    for (const [name, value] of fields) form[name] = [...(form[name] ?? []), value]
    const call = {
      sid: `CA${randomBytes(16).toString('hex')}`,
      to: fields.get('To') ?? '',
      from: fields.get('From') ?? '',
      answerUrl: fields.get('Url') ?? '',
      twiml: '',
      statusCallback: fields.get('StatusCallback') ?? '',
      form,
      createdAt: new Date().toUTCString(),
      callbacks: [],
    }
    calls.push(call)
    return call
  }

  async function acceptCall(request: IncomingMessage, response: ServerResponse) {
    const fields = new URLSearchParams(await textOf(request))
    const now = mood ?? moodByNumber[(fields.get('To') ?? '').slice(-6)] ?? 'accept'
    const refusal = refusals[now]
    if (refusal) return answer(response, refusal.status, { ...refusal, message: 'refused' })
    if (now === 'drops') return response.destroy()
    const { sid } = placeCall(fields)
    if (now === 'hangs_up') return response.destroy()
    if (now === 'accept') answer(response, 201, { sid, status: 'queued' })
  }

  function listCalls(url: URL, response: ServerResponse) {
    const events = /\/Calls\/(CA\w+)\/Events\.json$/.exec(url.pathname)
    if (events) {
      const call = calls.find(({ sid }) => sid === events[1])
      if (!call) return answer(response, 404, { code: 20_404 })
      const callbacks =
        call.callbacks.length > 0 ? call.callbacks.map(({ url: at }) => at) : [call.statusCallback]
      return answer(response, 200, {
        events: callbacks.map(at => ({ request: { url: at, method: 'POST' } })),
      })
    }
    const wanted = url.searchParams.get('To')
    const between = calls.filter(
      call => (wanted === null || call.to === wanted) && call.from === url.searchParams.get('From'),
    )
    const shown = between.map(({ sid, to, createdAt }) => ({
      sid,
      to,
      date_created: createdAt,
      start_time: null,
      status: 'queued',
    }))
    answer(response, 200, { calls: shown.reverse().slice(0, Number(url.searchParams.get('PageSize') ?? 50)) })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://stand-in')
    if (url.pathname === '/_effects') return void answer(response, 200, { effects: calls })
    if (request.headers.authorization !== expected)
      return void answer(response, 401, { code: 20_003, message: 'Authenticate' })
    if (!url.pathname.startsWith(`${account}/Calls`)) return void answer(response, 404, { code: 20_404 })
    if (request.method === 'GET') return void listCalls(url, response)
    acceptCall(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountSid,
    authToken,
    calls,
    setMood(next: Mood | null) {
      mood = next
    },
    /** Sends an event of a call to its callback URL. Sent again it is a duplicate; with another token it is a forgery. */
    async sendCallback(
      call: PlacedCall,
      event: Record<string, string>,
      token = authToken,
    ): Promise<Response> {
      const form = { CallSid: call.sid, AccountSid: accountSid, To: call.to, From: call.from, ...event }
      call.callbacks.push({ url: call.statusCallback, form })
      return postSigned(token, call.statusCallback, form)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
