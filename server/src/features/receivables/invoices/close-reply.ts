import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { promiseDaysMax } from '../../../domain/recovery/promise.ts'
import { type ReplyOutcome, replyOutcomes } from '../../../domain/recovery/told.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type FaultCode, refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import {
  dateTime,
  day,
  days,
  fault,
  line,
  lines,
  moment,
  optional,
  outputUuid,
  uuid,
} from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { shownText } from '../../platform/shown-text.ts'
import {
  channelScopeMissing,
  debtorErased,
  debtorUnknown,
  disputeIsOpen,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
  noPromiseAfterTimeBar,
  noRemindersToPause,
  proceedingsAreOpen,
} from '../../recovery/case/errors.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { type InFlight, inFlightOnce } from '../../recovery/case/stop-messages.ts'
import { addressOf } from '../../recovery/holds/closed-channels.ts'
import { answerNotPossible, replyAlreadyRead, situationNotDecided } from '../../recovery/holds/errors.ts'
import { closeReply, findReply, type ReplyRow } from '../../recovery/holds/record-reply.ts'
import { debtorPaused, debtorReplyClosed, debtorWrongPerson } from '../debtors/audit-events.ts'
import { replyNotFound } from '../debtors/errors.ts'
import { pauseReminders } from '../debtors/pause-debtor.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from '../debtors/rehearse-debtor.ts'
import { ReplyAnswer } from '../debtors/reply-answer-schema.ts'
import { markWrongPerson } from '../debtors/report-wrong-person.ts'
import { answerReply } from './answer-reply.ts'
import { invoiceDisputed, invoicePromised } from './audit-events.ts'
import { disputeInvoice } from './open-dispute.ts'
import { promisePayment } from './record-promise.ts'

const pauseDays = { usual: 7, most: 30 }

const takes: Record<ReplyOutcome, { needed: readonly string[]; allowed: readonly string[] }> = {
  promise: { needed: ['invoiceIds', 'date'], allowed: ['reason'] },
  says_paid: { needed: [], allowed: ['until', 'reason'] },
  dispute: { needed: ['invoiceIds', 'reason'], allowed: [] },
  wrong_person: { needed: [], allowed: ['reason'] },
  other: { needed: [], allowed: [] },
}

const ReplyClosing = z
  .strictObject({
    outcome: z.enum(replyOutcomes).meta({
      description:
        'What the reply means. promise, dispute: recorded for each of `invoiceIds`. says_paid: the reminders wait, and no payment is recorded. wrong_person: the address that answered is never used again. other: nothing but reading',
    }),
    invoiceIds: optional(z.array(uuid).min(1).max(100)).meta({ description: 'With promise and dispute' }),
    date: optional(day).meta({
      ...days(0, promiseDaysMax),
      description: 'With promise: the day of the payment',
    }),
    until: optional(moment).meta({
      ...days(0, pauseDays.most),
      description: `With says_paid: when the reminders go on; ${pauseDays.usual} days unless given, ${pauseDays.most} at most. A pause that lasts longer keeps its end`,
    }),
    reason: optional(shownText(line(500))).meta({
      description:
        'With dispute, required: what the debtor says; their page shows it. With promise, says_paid and wrong_person: kept in the history',
    }),
    answer: optional(z.strictObject({ text: shownText(lines(4000)) })).meta({
      description:
        'Stands between our greeting and the signature of an email to the main address of the debtor, also after a reply by text message; needs the scope notifications:send. Words that a reminder must not have, links and bank accounts are refused',
    }),
    dryRun,
  })
  .superRefine((body, context) => {
    const refuse = (path: string, code: FaultCode, message: string) =>
      context.addIssue({ code: 'custom', path: [path], ...fault(code, message) })
    const { needed, allowed } = takes[body.outcome]
    for (const field of ['invoiceIds', 'date', 'until', 'reason'] as const)
      if (body[field] === undefined && needed.includes(field))
        refuse(field, 'missing', `is required with ${body.outcome}`)
      else if (body[field] !== undefined && ![...needed, ...allowed].includes(field))
        refuse(field, 'not_together', `does not go with ${body.outcome}`)
    if (body.answer !== undefined && body.outcome === 'wrong_person')
      refuse(
        'answer',
        'not_together',
        'does not go with wrong_person: nobody is written to at an address of somebody else',
      )
  })
  .meta({ id: 'ReplyClosing' })
type ReplyClosing = z.output<typeof ReplyClosing>

const ClosedReply = z
  .object({
    reply: z
      .object({
        id: outputUuid,
        debtorId: outputUuid,
        channel: z.enum(channels),
        receivedAt: dateTime,
        readAt: dateTime,
        outcome: z.enum(replyOutcomes),
        answer: ReplyAnswer.nullable().meta({ description: 'What was answered; null: nothing' }),
      })
      .meta({ description: 'The reply, closed' }),
    answerAt: dateTime
      .nullable()
      .meta({ description: 'When the answer leaves, within the contact hours; null without one' }),
    inFlight: inFlightMessages,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'ClosedReply' })

const selectOwnInvoices = sql(
  'debtors.list-own-invoices',
  'select id from invoices where id = any ($2::uuid[]) and debtor_id = $1',
)

export const closeReplyOperation = operation({
  id: 'debtors.closeReply',
  method: 'POST',
  path: '/api/v1/debtors/:id/replies/:replyId/close',
  summary: 'Close a reply: record what it means, answer it, and mark it as read, at once',
  description:
    'Does what `invoices.promise`, `debtors.pause`, `invoices.dispute` or `debtors.wrongPerson` does, in one transaction with the reading. The answer counts in no limit of contacts, and keeps the contact hours. A reported situation is decided instead: `POST /api/v1/debtors/:id/situations/:situationId/decide`.',
  scopes: ['debtors:write', 'invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid, replyId: uuid }),
  body: ReplyClosing,
  status: 200,
  reply: ClosedReply,
  errors: [
    replyNotFound,
    replyAlreadyRead,
    situationNotDecided,
    invoiceNotFound,
    invoiceAlreadyPaid,
    invoiceIsClosed,
    disputeIsOpen,
    noRemindersToPause,
    noPromiseAfterTimeBar,
    proceedingsAreOpen,
    debtorUnknown,
    debtorErased,
    answerNotPossible,
    channelScopeMissing,
  ],
  assistant: 'confirm',
  audit: [debtorReplyClosed, invoicePromised, debtorPaused, invoiceDisputed, debtorWrongPerson],
  example: { body: { outcome: 'says_paid', reason: 'Transfer of 16 November, not arrived yet' } },
  rehearse: withPlannedMessages,
  async run(call) {
    const { tx, actor, params, body } = call
    const { id: debtorId, replyId } = params
    const { outcome, answer } = body
    if (answer && !actor.scopes.includes('notifications:send'))
      throw channelScopeMissing.make('email', 'notifications:send')
    // Its channel never changes, so it is known before the locks, of which a wrong person needs several.
    const found = await findReply(call, debtorId, replyId)
    if (!found) throw replyNotFound.make()
    const before = await holdBefore(call, found)
    const reply = (await closeReply(call, debtorId, replyId, outcome))!
    const inFlight = [...before, ...(await changeInvoices(call))]
    const answered = answer ? await answerReply(call, reply, answer.text) : null
    const about = { debtorId, replyId, outcome, isAnswered: answered !== null }
    recordAudit(tx, [newEvent(debtorReplyClosed, debtorId, about)], call)
    return {
      reply: {
        id: replyId,
        debtorId,
        channel: reply.channel,
        receivedAt: iso(reply.received_at),
        readAt: iso(reply.read_at!),
        outcome,
        answer: answered?.answer ?? null,
      },
      answerAt: answered && iso(answered.at),
      inFlight: inFlightOnce(inFlight),
    }
  },
})

type ClosingCall = Call<{ id: string; replyId: string }, undefined, ReplyClosing>

/** What holds every recovery of the debtor is there before the hold of the reply ends, so that nothing goes on in between. */
async function holdBefore(call: ClosingCall, { channel }: ReplyRow): Promise<readonly InFlight[]> {
  const { params, body, now } = call
  const { outcome, reason } = body
  const said = reason === undefined ? {} : { reason }
  if (outcome === 'wrong_person') {
    const point = addressOf[channel]
    if (point === null) throw refusedField('outcome', 'not_together', 'does not go with a reply to a letter')
    return (await markWrongPerson(call, params.id, { point, ...said })).inFlight
  }
  if (outcome === 'says_paid') {
    const until = body.until ?? now + pauseDays.usual * DAY
    if (until > now + pauseDays.most * DAY)
      throw refusedField('until', 'too_far', `is more than ${pauseDays.most} days ahead`)
    return (await pauseReminders(call, params.id, { until, ...said }, true)).inFlight
  }
  return []
}

async function changeInvoices(call: ClosingCall): Promise<InFlight[]> {
  const { tx, params, body } = call
  const { outcome, invoiceIds = [], date, reason } = body
  if (invoiceIds.length === 0) return []
  const ids = [...new Set(invoiceIds)].sort()
  const own = await tx.rows(selectOwnInvoices, [params.id, ids])
  if (own.length < ids.length) throw invoiceNotFound.make()
  const inFlight: InFlight[] = []
  for (const id of ids) {
    const changed =
      outcome === 'promise'
        ? await promisePayment(call, id, { date: date!, ...(reason !== undefined && { note: reason }) })
        : await disputeInvoice(call, id, { reason: reason! })
    inFlight.push(...changed.inFlight)
  }
  return inFlight
}
