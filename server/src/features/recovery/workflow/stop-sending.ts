import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { AfterCommit } from '../../../kit/after-commit.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, line, optional, outputUuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { sendingResumed, sendingStopped } from '../../access/companies/audit-events.ts'
import { type StopReason, waitForOpenTransactions } from '../../access/companies/stops.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import type { InFlight } from '../case/stop-messages.ts'
import { stoppedByPerson } from './errors.ts'

const StopSendingInput = z
  .strictObject({
    reason: line(500).meta({ description: 'Kept with the stop, for whoever asks why nothing is sent' }),
  })
  .meta({ id: 'StopSendingInput' })

const ResumeSendingInput = z
  .strictObject({ reason: optional(line(500)).meta({ description: 'Kept in the audit log' }) })
  .meta({ id: 'ResumeSendingInput' })

const SendingStop = z
  .object({
    since: dateTime,
    reason: z.string(),
    inFlight: z
      .array(
        z.object({
          communicationId: outputUuid,
          debtorId: outputUuid,
          channel: z.enum(channels),
          action: z.string(),
        }),
      )
      .meta({
        description:
          'Messages that may still leave because they are with a provider; 1,000 at most. Nothing else does',
      }),
  })
  .meta({ id: 'SendingStop' })

const SendingResume = z
  .object({
    stoppedSince: dateTime.nullable().meta({ description: 'Null: the company had not stopped its sending' }),
    stillStopped: z.string().nullable().meta({
      description: 'Why nothing is sent all the same: a stop of the operator, or what the company lacks',
    }),
    debtorsWoken: z.int().meta({
      description: 'Debtors that had come due meanwhile and are looked at now, one after the other',
    }),
  })
  .meta({ id: 'SendingResume' })

const stopOwnSending = sql(
  'workflow.stop-sending',
  'select since, reason, is_new from stop_own_sending($1, $2, $3, $4)',
).as<{ since: number; reason: string; is_new: boolean }>()
const endOwnStop = sql('workflow.end-own-stop', 'select since, has_ended from end_own_stop($1, $2)').as<{
  since: number
  has_ended: boolean
}>()
const readStopReason = sql('workflow.get-stop-reason', 'select stop_reason($1) as stop_reason').as<{
  stop_reason: StopReason | null
}>()
// In a sandbox no message passes a fence: every claimed message is sent.
const listLeaving = sql(
  'workflow.list-leaving',
  `select c.id as "communicationId", c.debtor_id as "debtorId", c.channel, c.step as action
     from communications c
    where c.id = any (array(select communication_id from pending_sends where tenant_id = $1 and communication_id > '${lowestId}' order by communication_id limit 10000))
      and c.state = 'sending' and (c.committing_at is not null or $2) order by c.id limit 1000`,
).as<InFlight & { debtorId: string }>()

/** A stop by an application that acts for a person is the person's. */
const callerOf = ({ kind, id, onBehalfOf }: Actor): string =>
  onBehalfOf === undefined ? `${kind} ${id}` : `person ${onBehalfOf}`

/** How many times to check for transactions that may have read the state before the stop: about three seconds in total. */
const looksMax = 300

export const stopSending = operation({
  id: 'company.stopSending',
  method: 'POST',
  path: '/api/v1/company/stop-sending',
  summary: 'Stop everything that is sent to debtors for the company, in this environment',
  description:
    'After the answer nothing leaves but the messages it names as in flight. What comes due waits. The stop is checked when a debtor is processed, when a message is claimed and when it leaves; payments, disputes and imports go on.',
  scopes: ['company:manage'],
  body: StopSendingInput,
  status: 200,
  reply: SendingStop,
  errors: [],
  assistant: 'confirm',
  audit: [sendingStopped],
  example: { body: { reason: 'The prices of last week were wrong' } },
  async run(call) {
    const { tx, actor, wall, newId, body } = call
    const [stop] = await tx.rows(stopOwnSending, [newId(), body.reason, iso(wall), callerOf(actor)])
    const { since, reason } = stop!
    recordAudit(tx, [newEvent(sendingStopped, actor.tenantId, { reason: body.reason })], call)
    const inFlight = await tx.rows(listLeaving, [actor.tenantId, true])
    return { since: iso(since), reason, inFlight }
  },
  /** A fence that was being written when the stop was committed may not have seen the stop, so it is waited for. */
  followUp: {
    async run({ tx, actor }, initialReply) {
      const areOver = await waitForOpenTransactions(
        (statement, values) => tx.rows(statement, values),
        'communications',
        looksMax,
      )
      const isEveryOne = !areOver || actor.environment === 'sandbox'
      return { ...initialReply, inFlight: await tx.rows(listLeaving, [actor.tenantId, isEveryOne]) }
    },
  },
})

export const resumeSending = operation({
  id: 'company.resumeSending',
  method: 'POST',
  path: '/api/v1/company/resume-sending',
  summary: 'End the stop of the company’s own sending',
  description:
    'What waited is looked at again, one debtor after the other, and goes at its next allowed moment. What a person stopped, a person starts again, in their own session. A stop of the operator is not ended.',
  scopes: ['company:manage'],
  fresh: true,
  body: ResumeSendingInput,
  status: 200,
  reply: SendingResume,
  errors: [stoppedByPerson],
  assistant: 'confirm',
  audit: [sendingResumed],
  example: { body: { reason: 'The prices are right again' } },
  async run(call) {
    const { tx, actor, wall, body } = call
    const [ended] = await tx.rows(endOwnStop, [iso(wall), `${actor.kind} ${actor.id}`])
    if (ended && !ended.has_ended) throw stoppedByPerson.make()
    const stoppedSince = ended ? iso(ended.since) : null
    const { reason = null } = body
    recordAudit(tx, [newEvent(sendingResumed, actor.tenantId, { stoppedSince, reason })], call)
    const [row] = await tx.rows(readStopReason, [actor.tenantId])
    return { stoppedSince, stillStopped: row!.stop_reason, debtorsWoken: 0 }
  },
  followUp: {
    async run(after, initialReply) {
      if (initialReply.stillStopped !== null) return initialReply
      return { ...initialReply, debtorsWoken: await wakeDebtors(after) }
    },
  },
})

const releaseTenant = sql('workflow.release-tenant', 'select release_tenant($1, $2, $3) as released').as<{
  released: number
}>()
const releasedAtOnce = 1_000
/** The time limit; the hourly run wakes the remaining debtors. */
const wakeMaxMs = 10_000

/** A running look may have seen the stop and make its debtor wait for the end of it, so running looks are waited for first. */
async function wakeDebtors(after: AfterCommit): Promise<number> {
  const { tx, actor, startedAt, wall, inTransaction } = after
  await waitForOpenTransactions((statement, values) => tx.rows(statement, values), 'agendas', looksMax)
  let total = 0
  for (;;) {
    const from = iso(wall() + total * 20)
    const released = await inTransaction(
      async write => (await write.rows(releaseTenant, [actor.tenantId, from, releasedAtOnce]))[0]!.released,
    )
    total += released
    if (released < releasedAtOnce || wall() - startedAt > wakeMaxMs) return total
  }
}
