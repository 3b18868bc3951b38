import { DAY } from '../../domain/time.ts'
import { isOurCode } from '../callback-body.ts'
import {
  type ChannelAdapter,
  type LetterMessage,
  type ListedMessage,
  ListFailed,
  type SendHooks,
  type SendResult,
  type SettledResult,
} from '../channel.ts'
import {
  isBetween,
  judgeReply,
  listFailed,
  lookupFailed,
  type ProviderReply,
  textAt,
} from '../http-provider.ts'
import {
  basePaths,
  jsonContent,
  type MailevaOptions,
  mailevaClient,
  pdfForm,
  type Sending,
} from './maileva-client.ts'
import { postalLines } from './postal-lines.ts'

const basePathOf = ({ delivery }: LetterMessage) => basePaths[delivery.by]

const fieldsOf = (prefix: string, lines: readonly string[]) =>
  Object.fromEntries(lines.flatMap((line, i) => (line ? [[`${prefix}_${i + 1}`, line]] : [])))

/** Maileva requires a first and a last name. */
function personOf(name: string) {
  const words = name.split(/[\s\p{C}]+/u).filter(Boolean)
  const [first = '', ...rest] = words
  return { first_name: first.slice(0, 50), last_name: (rest.join(' ') || first).slice(0, 50) }
}

interface DraftContent {
  sending: object
  recipient: object
}

const addressDoesNotFit = 'maileva address_does_not_fit'

/** The content of a draft, or a reason when an address does not fit on an envelope. */
function draftContentOf(message: LetterMessage, senderId: string | undefined): DraftContent | string {
  const { code, reference, from, to, delivery } = message
  const identity = { name: reference.replace(/\p{C}/gu, ' ').slice(0, 256) || code, custom_id: code }
  if (delivery.by === 'electronic') {
    const { email, isConsumer = false } = delivery
    return {
      sending: { ...identity, sender_id: senderId },
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
  if (!recipient) return addressDoesNotFit
  return {
    sending: {
      ...identity,
      acknowledgement_of_receipt: true,
      // Without it Maileva does not report why a letter came back.
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

const codeIn = (reply: ProviderReply) =>
  reply.status === null ? undefined : (textAt(reply.json, 'errors', 0, 'code') ?? textAt(reply.json, 'code'))

/** How many pages of about forty letters are searched: before sending, for drafts left by a crash; and for a lookup. */
const recentPagesMax = 3
const lookupPagesMax = 200

/** Refused after it was submitted, so it will not be posted. */
const refusedStatuses = new Set(['REJECTED', 'CANCELED'])

/**
 * A registered letter is created as a draft, and only `submit` has it printed: a failure before that means it was not sent. A
 * draft left by a crash is deleted before another is created, so that it cannot be posted by hand later.
 */
export function mailevaLetter(options: MailevaOptions): ChannelAdapter<LetterMessage> {
  const client = mailevaClient(options)
  const { provider, ask: request } = client

  const unsent = (reply: ProviderReply) =>
    judgeReply(provider, reply, { isCommitted: false, code: codeIn(reply) })
  const isGone = (reply: ProviderReply) =>
    reply.status !== null && (reply.status < 300 || reply.status === 404)

  /** The outcome of earlier attempts: a submitted letter, or null after all drafts were deleted. */
  async function settleEarlier(
    basePath: string,
    sendings: readonly Sending[],
  ): Promise<SettledResult | ProviderReply | null> {
    const submitted = sendings.find(({ status }) => status !== 'DRAFT')
    if (submitted)
      return refusedStatuses.has(submitted.status)
        ? { outcome: 'permanent', reason: `maileva ${submitted.status}` }
        : { outcome: 'accepted', providerId: submitted.id }
    for (const { id } of sendings) {
      const reply = await request('DELETE', `${basePath}/${id}`)
      if (!isGone(reply)) return reply
    }
    return null
  }

  async function draft(
    message: LetterMessage,
    basePath: string,
    draftContent: DraftContent,
  ): Promise<string | SendResult> {
    const pdf = await message.pdf()
    const created = await request('POST', basePath, jsonContent(draftContent.sending))
    const id = created.status === 201 ? textAt(created.json, 'id') : undefined
    if (!id) return unsent(created)
    const form = pdfForm('lettre.pdf', pdf, `relance-${message.code}`)
    for (const [what, content] of [
      ['documents', form],
      ['recipients', jsonContent(draftContent.recipient)],
    ] as const) {
      const reply = await request('POST', `${basePath}/${id}/${what}`, content)
      if (reply.status === 201) continue
      await request('DELETE', `${basePath}/${id}`)
      return unsent(reply)
    }
    return id
  }

  async function submit(basePath: string, id: string, { beforeCommit }: SendHooks): Promise<SendResult> {
    let isCommitted = false
    const deleteDraft = () => request('DELETE', `${basePath}/${id}`)
    const reply = await request('POST', `${basePath}/${id}/submit`, jsonContent({}), async () => {
      await beforeCommit()
      isCommitted = true
    }).catch(async refusal => {
      await deleteDraft()
      throw refusal
    })
    if (isCommitted && reply.status !== null && reply.status < 300)
      return { outcome: 'accepted', providerId: id }
    const result = judgeReply(provider, reply, { isCommitted, code: codeIn(reply) })
    if (result.outcome === 'unknown') return result
    await deleteDraft()
    // The recipient is already validated, so the refusal is about a sender who has not entered a one-time code today.
    if (basePath === basePaths.electronic && result.outcome === 'permanent')
      return { outcome: 'unavailable', reason: result.reason }
    return result
  }

  return {
    name: 'maileva',
    reentry: 'lookup',

    async send(message, hooks) {
      const basePath = basePathOf(message)
      if (message.delivery.by === 'electronic' && !options.electronicSenderId)
        return { outcome: 'retryable', reason: 'maileva no_electronic_sender' }
      const draftContent = draftContentOf(message, options.electronicSenderId)
      if (typeof draftContent === 'string')
        return draftContent === addressDoesNotFit
          ? { outcome: 'permanent', reason: draftContent, isAddressRefused: true }
          : { outcome: 'permanent', reason: draftContent }
      const earlier = await client.named(basePath, message, recentPagesMax)
      if (!('found' in earlier)) return unsent(earlier)
      const earlierResult = await settleEarlier(basePath, earlier.found)
      if (earlierResult) return 'outcome' in earlierResult ? earlierResult : unsent(earlierResult)
      const draftId = await draft(message, basePath, draftContent)
      return typeof draftId === 'string' ? submit(basePath, draftId, hooks) : draftId
    },

    async lookup(message) {
      const basePath = basePathOf(message)
      const list = await client.named(basePath, message, lookupPagesMax)
      if (!('found' in list)) return lookupFailed(provider, list)
      const earlierResult = await settleEarlier(basePath, list.found)
      if (earlierResult)
        return 'outcome' in earlierResult ? earlierResult : lookupFailed(provider, earlierResult)
      return list.isWhole ? 'never_seen' : { outcome: 'unknown', reason: 'maileva lookup too_many' }
    },

    async *sentBetween(since, until) {
      for (const basePath of Object.values(basePaths)) {
        const letters = new Map<string, ListedMessage>()
        const read = await client.readNewest(basePath, since - DAY, lookupPagesMax, (letter, createdAt) => {
          const [providerId, status] = [textAt(letter, 'id') ?? '', textAt(letter, 'status') ?? '']
          const submittedAt = Date.parse(textAt(letter, 'submission_date') ?? '')
          const at = Number.isNaN(submittedAt) ? createdAt : submittedAt
          if (status === 'DRAFT' || refusedStatuses.has(status) || !isBetween(at, since, until)) return
          const code = textAt(letter, 'custom_id')
          const reference = textAt(letter, 'name') ?? null
          letters.set(providerId, {
            code: isOurCode(code) ? code : null,
            to: null,
            reference,
            at,
            providerId,
          })
        })
        if (!('isWhole' in read)) throw listFailed(provider, read)
        if (!read.isWhole) throw new ListFailed('maileva list too_many')
        yield* letters.values()
      }
    },

    close: client.close,
  }
}
