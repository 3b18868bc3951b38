import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { situations } from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, note, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { debtorErased, debtorUnknown } from '../../recovery/case/errors.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { findSituation } from '../../recovery/holds/decide-situation.ts'
import { findLatestInvoice, lockAgendas } from '../../recovery/holds/hold-debtor.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { debtorSituationReported } from './audit-events.ts'
import { findDebtor } from './read-debtors.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from './rehearse-debtor.ts'

const SituationInput = z
  .strictObject({
    situation: z.enum(situations),
    channel: z.enum(channels).meta({
      description: 'How it was told: voice is also in person, lrar any letter',
    }),
    note: optional(note(500)).meta({ description: 'Who told it, and what; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'SituationInput' })

const ReportedSituation = z
  .object({
    id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
    debtorId: outputUuid,
    situation: z.enum(situations),
    reportedAt: dateTime,
    inFlight: inFlightMessages,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'ReportedSituation' })

export const reportSituation = operation({
  id: 'debtors.reportSituation',
  method: 'POST',
  path: '/api/v1/debtors/:id/situations',
  summary: 'Record a situation of a debtor that you were told of: nothing is sent until it is decided',
  description:
    'As if the debtor had reported it on their page: every recovery waits for `POST /api/v1/debtors/:id/situations/:situationId/decide`. The same situation told again while it waits is one.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: SituationInput,
  status: 201,
  reply: ReportedSituation,
  errors: [debtorUnknown, debtorErased],
  assistant: 'confirm',
  audit: [debtorSituationReported],
  example: { body: { situation: 'deceased', channel: 'voice', note: 'His daughter called' } },
  rehearse: withPlannedMessages,
  async run(call) {
    const { tx, params, body, now } = call
    const debtorId = params.id
    await lockAgendas(call, [debtorId])
    const [debtor, latest] = await Promise.all([findDebtor(tx, debtorId), findLatestInvoice(tx, debtorId)])
    if (!debtor) throw debtorUnknown.make()
    if (debtor.is_erased) throw debtorErased.make()
    const { situation, channel } = body
    const { replyId, inFlight } = await recordReply(call, {
      debtorId,
      communicationId: null,
      channel,
      receivedAt: now,
      about: latest && { invoiceId: latest.id, invoiceNumber: latest.number, invoiceIds: [latest.id] },
      said: situation,
      ...(body.note !== undefined && { note: body.note }),
    })
    const recorded = await findSituation(call, debtorId, replyId)
    recordAudit(
      tx,
      [newEvent(debtorSituationReported, debtorId, { debtorId, situationId: replyId, situation })],
      call,
    )
    return { id: replyId, debtorId, situation, reportedAt: iso(recorded!.received_at), inFlight }
  },
})
