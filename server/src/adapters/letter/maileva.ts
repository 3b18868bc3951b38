import type { ChannelAdapter, LetterMessage, SendHooks, SendResult } from '../channel.ts'
import { judge, notAnswered, type Reply, textAt } from '../http-provider.ts'
import { json, type MailevaOptions, mailevaClient, pdfForm, places, type Sending } from './maileva-client.ts'
import { postalLines } from './postal-lines.ts'

const placeOf = ({ delivery }: LetterMessage) => places[delivery.by]

const fieldsOf = (prefix: string, lines: readonly string[]) =>
  Object.fromEntries(lines.flatMap((line, i) => (line ? [[`${prefix}_${i + 1}`, line]] : [])))

/** Maileva wants two names of everybody. */
function personOf(name: string) {
  const words = name.split(/[\s\p{C}]+/u).filter(Boolean)
  const [first = '', ...rest] = words
  return { first_name: first.slice(0, 50), last_name: (rest.join(' ') || first).slice(0, 50) }
}

interface Written {
  sending: object
  recipient: object
}

/** A text: what is wrong with an address, which has to fit on an envelope. */
function written(message: LetterMessage, senderId: string | undefined): Written | string {
  const { code, reference, from, to, delivery } = message
  const named = { name: reference.replace(/\p{C}/gu, ' ').slice(0, 256) || code, custom_id: code }
  if (delivery.by === 'electronic') {
    const { email, isConsumer = false } = delivery
    return {
      sending: { ...named, sender_id: senderId },
      recipient: {
        custom_id: code,
        legal_status: isConsumer ? 'INDIVIDUAL' : 'PROFESSIONAL',
        ...personOf(to.name),
        ...(!isConsumer && { company: to.name.slice(0, 38) }),
        email,
      },
    }
  }
  const [sender, recipient] = [postalLines(from), postalLines(to)]
  if (!sender) return 'maileva sender_does_not_fit'
  if (!recipient) return 'maileva address_does_not_fit'
  return {
    sending: {
      ...named,
      acknowledgement_of_receipt: true,
      // Without it nobody says why a letter came back.
      returned_mail_scanning: true,
      color_printing: false,
      duplex_printing: true,
      optional_address_sheet: false,
      ...fieldsOf('sender_address_line', sender),
      sender_country_code: from.country,
    },
    recipient: { custom_id: code, ...fieldsOf('address_line', recipient), country_code: to.country },
  }
}

const codeIn = (reply: Reply) =>
  reply.status === null ? undefined : (textAt(reply.json, 'errors', 0, 'code') ?? textAt(reply.json, 'code'))

/** Pages of some forty letters: before sending, for what a crash left a moment ago; and to answer what became of one. */
const glance = 3
const patience = 200

/** Refused after it was submitted, so it will not be posted. */
const refusedFor = new Set(['REJECTED', 'CANCELED'])

/**
 * A registered letter is written as a draft, and only `submit` lets it be printed: whatever fails before that is unsent.
 * A draft that a crash left behind is thrown away before another is begun, so that nobody posts it by hand later.
 */
export function mailevaLetter(options: MailevaOptions): ChannelAdapter<LetterMessage> {
  const client = mailevaClient(options)
  const { provider, ask } = client

  const unsent = (reply: Reply) => judge(provider, reply, { isCommitted: false, code: codeIn(reply) })
  const isGone = (reply: Reply) => reply.status !== null && (reply.status < 300 || reply.status === 404)

  /** What became of earlier attempts: the letter that is on its way, or nothing, when all were drafts and are gone. */
  async function settled(place: string, sendings: readonly Sending[]): Promise<SendResult | Reply | null> {
    const submitted = sendings.find(({ status }) => status !== 'DRAFT')
    if (submitted)
      return refusedFor.has(submitted.status)
        ? { outcome: 'permanent', reason: `maileva ${submitted.status}` }
        : { outcome: 'accepted', providerId: submitted.id }
    for (const { id } of sendings) {
      const reply = await ask('DELETE', `${place}/${id}`)
      if (!isGone(reply)) return reply
    }
    return null
  }

  async function draft(message: LetterMessage, place: string, letter: Written): Promise<string | SendResult> {
    const pdf = await message.pdf()
    const created = await ask('POST', place, json(letter.sending))
    const id = created.status === 201 ? textAt(created.json, 'id') : undefined
    if (!id) return unsent(created)
    const form = pdfForm('lettre.pdf', pdf, `relance-${message.code}`)
    for (const [what, content] of [
      ['documents', form],
      ['recipients', json(letter.recipient)],
    ] as const) {
      const reply = await ask('POST', `${place}/${id}/${what}`, content)
      if (reply.status === 201) continue
      await ask('DELETE', `${place}/${id}`)
      return unsent(reply)
    }
    return id
  }

  async function submit(place: string, id: string, { beforeCommit }: SendHooks): Promise<SendResult> {
    let isCommitted = false
    const throwAway = () => ask('DELETE', `${place}/${id}`)
    const reply = await ask('POST', `${place}/${id}/submit`, json({}), async () => {
      await beforeCommit()
      isCommitted = true
    }).catch(async refusal => {
      await throwAway()
      throw refusal
    })
    if (isCommitted && reply.status !== null && reply.status < 300)
      return { outcome: 'accepted', providerId: id }
    const result = judge(provider, reply, { isCommitted, code: codeIn(reply) })
    if (result.outcome === 'unknown') return result
    await throwAway()
    // The person written to was judged before; what is left to refuse is a sender who has not shown a one-time code today.
    if (place === places.electronic && result.outcome === 'permanent')
      return { outcome: 'retryable', reason: result.reason }
    return result
  }

  return {
    name: 'maileva',
    reentry: 'lookup',

    async send(message, hooks) {
      const place = placeOf(message)
      if (message.delivery.by === 'electronic' && !options.electronicSenderId)
        return { outcome: 'retryable', reason: 'maileva no_electronic_sender' }
      const letter = written(message, options.electronicSenderId)
      if (typeof letter === 'string') return { outcome: 'permanent', reason: letter }
      const earlier = await client.named(place, message, glance)
      if (!('found' in earlier)) return unsent(earlier)
      const end = await settled(place, earlier.found)
      if (end) return 'outcome' in end ? end : unsent(end)
      const begun = await draft(message, place, letter)
      return typeof begun === 'string' ? submit(place, begun, hooks) : begun
    },

    async lookup(message) {
      const place = placeOf(message)
      const list = await client.named(place, message, patience)
      if (!('found' in list)) return notAnswered(provider, list)
      const end = await settled(place, list.found)
      if (end) return 'outcome' in end ? end : notAnswered(provider, end)
      return list.isWhole ? 'never_seen' : { outcome: 'unknown', reason: 'maileva lookup too_many' }
    },

    close: client.close,
  }
}
