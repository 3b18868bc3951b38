import { randomUUID } from 'node:crypto'
import { type Exchange, moodOfText, type Sent, startStandIn } from './stand-in.ts'

export const mailevaAccount = {
  clientId: 'maileva-application',
  clientSecret: 'maileva-secret',
  username: 'relance',
  password: 'correct horse',
  electronicSenderId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  callbackKey: 'maileva-calls-back',
}

type Fields = Record<string, string | boolean | undefined>

interface Draft {
  id: string
  isElectronic: boolean
  status: 'DRAFT' | 'ACCEPTED' | 'REJECTED'
  created: string
  fields: Fields
  document: Buffer | null
  recipient: (Fields & { id: string }) | null
}

export interface MailevaSent extends Sent {
  isElectronic: boolean
  sending: Fields
  recipient: Fields
  /** The file itself, in base64. */
  document: string
}

const errors = (...codes: string[]) => ({ errors: codes.map(code => ({ code, message: 'non' })) })

function recipientError(fields: Fields, isElectronic: boolean): string | null {
  if (isElectronic) {
    if (!['PROFESSIONAL', 'INDIVIDUAL'].includes(String(fields.legal_status))) return 'INVALID_LEGAL_STATUS'
    if (!fields.first_name || !fields.last_name) return 'EMPTY_NAME'
    const email = String(fields.email)
    return /^[\w.+-]+@[\w.-]+\.\w{2,}$/.test(email) && moodOfText(email) !== 'rejected'
      ? null
      : 'INVALID_EMAIL'
  }
  for (let i = 1; i <= 6; i++)
    if (String(fields[`address_line_${i}`] ?? '').length > 38) return `ADDRESS_LINE_${i}_TOO_LONG`
  if (!fields.address_line_1 && !fields.address_line_2) return 'ADDRESS_LINE_MANDATORY'
  if (!['FR', 'MC', 'RE', 'MQ', 'GP', 'GF', 'YT'].includes(String(fields.country_code)))
    return 'INVALID_COUNTRY_CODE'
  return /^\d{5} ./.test(String(fields.address_line_6)) ? null : 'INVALID_ADDRESS_LINE_SIX'
}

/** The file between the boundaries of a form. */
function documentIn({ headers, body }: Exchange): Buffer | null {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
  if (!boundary || !body.includes('name="metadata"')) return null
  const start = body.indexOf('\r\n\r\n', body.indexOf('name="document"')) + 4
  const document = body.subarray(start, body.indexOf(`\r\n--${boundary}`, start))
  return document.subarray(0, 4).toString() === '%PDF' ? document : null
}

/** Maileva, limited to one registered letter, on paper or electronic: draft, document, recipient, submission. */
export function startMaileva({ port = 0, tokenSeconds = 60 } = {}) {
  const drafts: Draft[] = []
  const tokens = new Map<string, number>()
  let tokensIssued = 0
  let isSessionOpen = true

  const sentOf = ({ id, isElectronic, fields, recipient, document }: Draft): MailevaSent => ({
    reference: String(fields.custom_id ?? ''),
    providerId: id,
    to: String(isElectronic ? recipient?.email : recipient?.address_line_1),
    text: document?.toString() ?? '',
    document: document?.toString('base64') ?? '',
    isElectronic,
    sending: fields,
    recipient: recipient ?? {},
  })
  const shown = ({ id, status, created, fields }: Draft) => ({
    ...fields,
    id,
    status,
    creation_date: created,
  })

  function issueToken({ headers, body, reply }: Exchange) {
    const { clientId, clientSecret, username, password } = mailevaAccount
    const form = new URLSearchParams(body.toString())
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (headers.authorization !== basic) return reply(401, { error: 'unauthorized_client' })
    if (form.get('username') !== username || form.get('password') !== password)
      return reply(400, { error: 'invalid_grant' })
    tokensIssued++
    const token = randomUUID()
    tokens.set(token, Date.now() + tokenSeconds * 1_000)
    reply(200, { access_token: token, expires_in: tokenSeconds, token_type: 'bearer' })
  }

  function createDraft({ body, reply }: Exchange, isElectronic: boolean) {
    const fields = JSON.parse(body.toString()) as Fields
    if (!fields.name) return reply(400, errors('EMPTY_NAME'))
    if (String(fields.custom_id ?? '').length > 38) return reply(400, errors('CUSTOM_ID_WRONG_FORMAT'))
    if (isElectronic && fields.sender_id !== mailevaAccount.electronicSenderId)
      return reply(403, errors('SENDER_NOT_FOUND'))
    const created = new Date().toISOString()
    const draft: Draft = {
      id: randomUUID(),
      isElectronic,
      status: 'DRAFT',
      created,
      fields,
      document: null,
      recipient: null,
    }
    drafts.push(draft)
    reply(201, shown(draft))
  }

  async function submit({ reply, deliver }: Exchange, draft: Draft): Promise<void> {
    if (draft.status !== 'DRAFT') return reply(400, errors('SENDING_STATUS_IS_NOT_DRAFT'))
    if (!draft.document || !draft.recipient) return reply(400, errors('EMPTY_DOCUMENT'))
    if (draft.isElectronic && !isSessionOpen) return reply(400, errors('OTP_REQUIRED'))
    const { email, address_line_4: street } = draft.recipient
    const effect = () => {
      draft.status = 'ACCEPTED'
      return {}
    }
    await deliver(moodOfText(String(email ?? street)), effect, { status: 400, json: errors('REJECTED') })
  }

  function handleDraft(exchange: Exchange, draft: Draft, subresource: string | undefined) {
    const { method, body, reply } = exchange
    if (subresource === 'recipients' && method === 'GET')
      return reply(200, {
        recipients: draft.recipient ? [draft.recipient] : [],
        paging: { total_results: 1 },
      })
    if (method === 'GET') return reply(200, shown(draft))
    if (subresource === 'submit') return submit(exchange, draft)
    if (draft.status !== 'DRAFT') return reply(400, errors('SENDING_STATUS_IS_NOT_DRAFT'))
    if (method === 'DELETE') {
      drafts.splice(drafts.indexOf(draft), 1)
      return reply(200)
    }
    if (subresource === 'documents') {
      draft.document = documentIn(exchange)
      return draft.document
        ? reply(201, { id: randomUUID() })
        : reply(400, errors('DOCUMENT_TYPE_NOT_ACCEPTED'))
    }
    const fields = JSON.parse(body.toString()) as Fields
    const fault = recipientError(fields, draft.isElectronic)
    if (fault) return reply(400, errors(fault))
    draft.recipient = { ...fields, id: randomUUID() }
    reply(201, draft.recipient)
  }

  const started = startStandIn(
    {
      sent: () => drafts.filter(({ status }) => status !== 'DRAFT').map(sentOf),
      handle(exchange) {
        const { method, url, headers, reply } = exchange
        if (url.pathname === '/auth/token') return issueToken(exchange)
        const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
        if (!bearer || (tokens.get(bearer) ?? 0) < Date.now()) return reply(401, { code: 'UNAUTHORIZED' })
        const [, api, id, subresource] =
          /^\/(registered_mail\/v4|electronic_qualified_registered_mail\/v1)\/sendings(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(
            url.pathname,
          ) ?? []
        if (!api) return reply(404, { code: 'NOT_FOUND' })
        const isElectronic = api.startsWith('electronic')
        const listed = drafts.filter(draft => draft.isElectronic === isElectronic)
        if (!id && method === 'POST') return createDraft(exchange, isElectronic)
        if (!id) {
          const start = Number(url.searchParams.get('start_index') ?? 1) - 1
          const count = Number(url.searchParams.get('count') ?? 50)
          const page = listed.slice(start, start + count).map(shown)
          return reply(200, { sendings: page, paging: { total_results: listed.length } })
        }
        const draft = listed.find(one => one.id === id)
        return draft ? handleDraft(exchange, draft, subresource) : reply(404, errors('SENDING_NOT_FOUND'))
      },
      callbackRequest({ url, code, event, at, secret = mailevaAccount.callbackKey }) {
        const draft = drafts.find(({ fields }) => fields.custom_id === code)
        const id = draft?.id ?? randomUUID()
        const api = draft?.isElectronic ? 'electronic_qualified_registered_mail/v1' : 'registered_mail/v4'
        // A reason after a slash is stored with the recipient, where the adapter reads it.
        const [type = '', reason] = event.split('/')
        if (draft?.recipient && reason)
          Object.assign(
            draft.recipient,
            draft.isElectronic ? { status: reason } : { undelivered_mail_reason: reason },
          )
        return {
          method: 'POST',
          url,
          headers: {
            authorization: `Basic ${Buffer.from(`maileva:${secret}`).toString('base64')}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            source: 'api.maileva.com',
            event_type: type,
            resource_type: `${api}/sendings`,
            event_date: new Date(at).toISOString(),
            event_location: 'FR',
            resource_id: id,
            resource_location: `https://api.maileva.example/${api}/sendings/${id}`,
            resource_custom_id: code,
            resource_custom_data: '',
          }),
        }
      },
    },
    { port },
  )
  return started.then(standIn => ({
    ...standIn,
    /** Letters that were created but not submitted. */
    drafts: () => drafts.filter(({ status }) => status === 'DRAFT').map(sentOf),
    tokensGiven: () => tokensIssued,
    forgetTokens: () => tokens.clear(),
    /** The sender of electronic letters has to show a one-time code again. */
    endSession: () => {
      isSessionOpen = false
    },
  }))
}
