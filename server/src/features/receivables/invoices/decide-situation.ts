import { z } from 'zod'
import { mayDispute } from '../../../domain/recovery/account.ts'
import { decisionsFor, situationDecisions, situations } from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, note, optional, optionalText, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { debtorErased, debtorUnknown, siretTaken } from '../../recovery/case/errors.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { endSituations, findSituation } from '../../recovery/holds/decide-situation.ts'
import {
  decisionNotPossible,
  situationAlreadyDecided,
  situationNotFound,
} from '../../recovery/holds/errors.ts'
import { aboutMessage } from '../../recovery/receipts/record-receipt.ts'
import { debtorChanged, debtorSituationDecided } from '../debtors/audit-events.ts'
import { debtorFields } from '../debtors/input-schema.ts'
import { forgetMain } from '../debtors/people/save-people.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from '../debtors/rehearse-debtor.ts'
import { changeDebtor } from '../debtors/update-debtor.ts'
import { invoiceDisputed } from './audit-events.ts'
import { disputeInvoice } from './open-dispute.ts'

const Representative = z
  .strictObject({
    name: debtorFields.name,
    email: debtorFields.email,
    phone: optionalText(debtorFields.phone),
    address: optionalText(debtorFields.address),
    postalCode: optionalText(debtorFields.postalCode),
    city: optionalText(debtorFields.city),
  })
  .meta({
    id: 'Representative',
    description: 'The heir, notary or guardian. Takes the place of the name and every address of the debtor',
  })

const SituationDecisionInput = z
  .strictObject({
    decision: z.enum(situationDecisions).exclude(['insolvency']).meta({
      description:
        'identity_theft: true, and the invoices of the message are disputed; without a message, every open one. not_confirmed: the debtor is told if they reported it, and the reminders may go on',
    }),
    representative: optional(Representative),
    note: optional(note(500)).meta({ description: 'What was checked; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'SituationDecisionInput' })

const Situation = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    situation: z.enum(situations),
    reportedAt: dateTime,
    decision: z.enum(situationDecisions).meta({ description: 'What was decided' }),
    decidedAt: dateTime,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'Situation' })

export const decideSituation = operation({
  id: 'debtors.decideSituation',
  method: 'POST',
  path: '/api/v1/debtors/:id/situations/:situationId/decide',
  summary: 'Record what a reported situation of a debtor means; nothing else ends its hold',
  description:
    'Over-indebtedness and insolvency are confirmed by recording the proceedings (`PUT /api/v1/debtors/:id`), a death and a minor or protected person by `representative`.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid, situationId: uuid }),
  body: SituationDecisionInput,
  status: 200,
  reply: Situation,
  errors: [
    situationNotFound,
    situationAlreadyDecided,
    decisionNotPossible,
    debtorUnknown,
    debtorErased,
    siretTaken,
  ],
  assistant: 'confirm',
  audit: [debtorSituationDecided, debtorChanged, invoiceDisputed],
  example: {
    body: {
      decision: 'representative',
      representative: { name: 'Étude Roy, notaire', email: 'succession@etude-roy.example' },
      note: 'The notary settles the estate',
    },
  },
  rehearse: withPlannedMessages,
  async run(call) {
    const { tx, actor, params, body, now } = call
    const { id: debtorId, situationId } = params
    const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, debtorId])
    const found = await findSituation(call, debtorId, situationId)
    if (!found) throw situationNotFound.make()
    const { decision } = body
    if (found.decision !== null && found.decision !== decision)
      throw situationAlreadyDecided.make(found.decision)
    const possible = decisionsFor(found.said)
    if (!possible.includes(decision)) throw decisionNotPossible.make(found.said, possible)
    const decided = {
      id: situationId,
      debtorId,
      situation: found.said,
      reportedAt: iso(found.received_at),
      decision,
    }
    if (found.read_at !== null) return { ...decided, decidedAt: iso(found.read_at) }
    if (decision === 'representative') await recordRepresentative(call, debtorId, body.representative)
    await endSituations(call, debtorId, agenda ?? null, {
      situations: [found],
      decision,
      ...(body.note !== undefined && { note: body.note }),
    })
    const { communication_id: communicationId } = found
    const about = communicationId === null ? null : await aboutMessage(call, communicationId)
    if (decision === 'identity_theft')
      await disputeAll(call, about?.invoiceIds ?? (await openInvoicesOf(call, debtorId)))
    // Who did not report it is not told what became of it.
    if (about && decision === 'not_confirmed') await tellDebtor(call, about.invoiceId)
    const audited = { debtorId, situationId, situation: found.said, decision }
    recordAudit(tx, [newEvent(debtorSituationDecided, debtorId, audited)], call)
    return { ...decided, decidedAt: iso(now) }
  },
})

/** Nobody is written to at an address of the person who died or is protected. */
async function recordRepresentative(
  context: OperationContext,
  debtorId: string,
  representative: z.output<typeof Representative> | undefined,
): Promise<void> {
  if (representative === undefined)
    throw refusedField(
      'representative',
      'required',
      'is required: name the heir, the notary or the guardian, and their address',
    )
  const { name, email, phone = null, address = null, postalCode = null, city = null } = representative
  await forgetMain(context, debtorId)
  await changeDebtor(context, debtorId, { name, email, phone, address, postalCode, city })
}

const selectOpenInvoices = sql(
  'debtors.list-open-invoices',
  `select id from invoices where debtor_id = $1 and status not in ('draft', 'paid', 'written_off', 'cancelled') order by id`,
).as<{ id: string }>()

const openInvoicesOf = async ({ tx }: OperationContext, debtorId: string): Promise<string[]> =>
  (await tx.rows(selectOpenInvoices, [debtorId])).map(({ id }) => id)

async function disputeAll(context: OperationContext, invoiceIds: readonly string[]): Promise<void> {
  const reason = 'Somebody used the identity of the debtor'
  for (const id of invoiceIds.toSorted()) {
    const recovery = await openRecovery(context, id)
    if (recovery && mayDispute(recovery.row.invoice_status, recovery.row.disputed_at !== null).allowed)
      await disputeInvoice(context, id, { reason, category: 'not_owed' })
  }
}

async function tellDebtor(context: OperationContext, invoiceId: string): Promise<void> {
  const recovery = await openRecovery(context, invoiceId)
  if (recovery)
    planExtraMessage(context, recovery, {
      step: 'situation_checked',
      channel: 'email',
      at: context.now,
      because: null,
    })
}
