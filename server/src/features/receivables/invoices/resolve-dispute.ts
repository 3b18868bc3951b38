import { z } from 'zod'
import { recountedClaim } from '../../../domain/money/late-payment.ts'
import { mayResolve, owedOf } from '../../../domain/recovery/account.ts'
import { withoutHolds } from '../../../domain/recovery/recovery-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { centsInput, fault, line, note, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { ratesSql } from '../../access/companies/late-payment-rates.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { shownText } from '../../platform/shown-text.ts'
import { releaseHolds } from '../../recovery/case/change-recovery.ts'
import { decisionDue, disputeOutcomes, disputeResolved } from '../../recovery/case/debtor-events.ts'
import {
  creditMissing,
  creditNumberTaken,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
  mediatorMissing,
  noDisputeOpen,
} from '../../recovery/case/errors.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { addActions } from '../../recovery/case/history.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import {
  changeInvoiceFacts,
  changeRecovery,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  openRecovery,
} from '../../recovery/case/open-recovery.ts'
import type { ContentRow } from '../../recovery/messages/compose/content-store.ts'
import { lateTermsOf } from '../../recovery/messages/compose/write-message.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { creditInvoice } from './add-credit.ts'
import { invoiceCredited, invoiceDisputeResolved } from './audit-events.ts'
import { Dispute, type DisputeRow, toDispute } from './dispute-schema.ts'

const DisputeResolution = z
  .strictObject({
    outcome: z.enum(disputeOutcomes).meta({
      description: 'upheld: the debtor is right, and the recovery stays paused; otherwise it goes on',
    }),
    amountCents: optional(centsInput).meta({
      description:
        'With `partly`: what is not owed, recorded as a credit note. Without it, the credit notes since the dispute was opened',
    }),
    creditNumber: optional(line(100)).meta({
      description: 'Of that credit note; made of the invoice number and the day unless given',
    }),
    answer: optional(shownText(line(500))).meta({
      description: 'Why it was not wholly accepted; the debtor is told',
    }),
    note: optional(note(2000)),
    dryRun,
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], ...fault('not_together', message) })
    if (body.amountCents !== undefined && body.outcome !== 'partly')
      refuse('amountCents', 'goes with partly only')
    if (body.creditNumber !== undefined && body.amountCents === undefined)
      refuse('creditNumber', 'goes with amountCents only')
    if (body.answer !== undefined && body.outcome === 'upheld')
      refuse('answer', 'goes with rejected and partly only')
  })
  .meta({ id: 'DisputeResolution' })
type DisputeResolution = z.output<typeof DisputeResolution>

const findOpenDispute = sql(
  'invoices.find-open-dispute',
  `select id, invoice_id, reason, category, amount_cents, status, note, answer, credited_cents, opened_at, resolved_at,
          (select coalesce(sum(c.amount_cents), 0) from credits c where c.invoice_id = d.invoice_id and c.created_at >= d.opened_at)::bigint as credited_since
     from disputes d where invoice_id = $1 and status = 'open'`,
).as<DisputeRow & { credited_since: number }>()
const closeDispute = sql(
  'invoices.close-dispute',
  'update disputes set status = $2, note = $3, answer = $4, credited_cents = $5, resolved_at = $6 where id = $1',
)

// The movements without the credit notes of the dispute: the sum of the invoice is lowered by those.
const selectClaimFacts = sql(
  'invoices.get-claim-facts',
  `select ${ratesSql} as rates,
          (select coalesce(jsonb_agg(jsonb_build_object('on', case m.kind when 'payment' then p.day when 'credit' then k.issued_on
                    else (m.posted_at at time zone $3)::date end, 'cents', -m.amount_cents) order by m.entry_id), '[]')
             from postings m
             left join payments p on p.tenant_id = m.tenant_id and p.id = m.source_id
             left join credits k on k.tenant_id = m.tenant_id and k.id = m.source_id
            where m.invoice_id = $1 and m.account = 'receivable' and (k.created_at is null or k.created_at < $2)) as movements`,
).as<Pick<ContentRow, 'rates'> & { movements: { on: string; cents: number }[] }>()
const lowerClaim = sql('invoices.lower-claim', 'update invoices set claimed_cents = $2 where id = $1')

export const resolveDispute = operation({
  id: 'invoices.resolveDispute',
  method: 'POST',
  path: '/api/v1/invoices/:id/dispute/resolve',
  summary: 'Resolve a dispute; unless it was upheld, the reminders continue',
  description:
    'The debtor is told the outcome by email and on their page: the sum that was credited, the `answer`, never the note. The reminders are planned anew from today, with their days moved by the length of the pause. After `upheld` nothing is asked, and they stay paused until somebody resumes or cancels them.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DisputeResolution,
  status: 200,
  reply: Dispute,
  errors: [
    invoiceNotFound,
    noDisputeOpen,
    creditMissing,
    creditNumberTaken,
    mediatorMissing,
    invoiceAlreadyPaid,
    invoiceIsClosed,
  ],
  assistant: 'confirm',
  audit: [invoiceDisputeResolved, invoiceCredited],
  example: { body: { outcome: 'partly', amountCents: 1_000, answer: 'Eight of the ten chairs were intact' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const [recovery, company] = await Promise.all([
      openRecovery(call, params.id),
      findCompany(tx, actor.companyId),
    ])
    if (!recovery) throw invoiceNotFound.make()
    const [open] = await tx.rows(findOpenDispute, [recovery.row.invoice_id])
    if (!open) throw noDisputeOpen.make()
    const credited = body.outcome === 'partly' ? open.credited_since + (body.amountCents ?? 0) : 0
    refuseFaults(body, recovery, credited)
    const today = localTime(company.time_zone, now).date
    const { invoice_id: invoiceId, amount_cents: invoiceCents } = recovery.row
    const credit =
      body.amountCents === undefined
        ? null
        : await creditInvoice(call, recovery, {
            number: body.creditNumber ?? `${recovery.row.number.slice(0, 89)}-${today}`,
            amountCents: body.amountCents,
            issuedOn: today,
          })
    const closed: DisputeRow = {
      ...open,
      status: body.outcome,
      note: body.note ?? null,
      answer: body.answer ?? null,
      credited_cents: credited === 0 ? null : credited,
      resolved_at: now,
    }
    tx.atCommit(closeDispute, [
      closed.id,
      closed.status,
      closed.note,
      closed.answer,
      closed.credited_cents,
      iso(now),
    ])
    const invoiceStatus = changeInvoiceFacts(call, recovery, { disputed_at: null }, 'dispute_resolved')
    // Nothing is claimed for the delay of what was not owed.
    if (body.outcome !== 'rejected' && recovery.row.claimed_cents > 0) {
      const lowered = body.outcome === 'upheld' ? 0 : invoiceCents - credited
      await recountClaim(call, recovery, { lowered, since: open.opened_at, zone: company.time_zone, today })
    }
    addActions(tx, [
      {
        id: newId(),
        invoiceId,
        action: 'dispute_resolved',
        channel: null,
        status: 'done',
        code: 'dispute_resolved',
        params: {
          outcome: body.outcome,
          ...(credited > 0 && { amountCents: credited, currency: recovery.row.currency }),
          ...(closed.answer !== null && { reason: closed.answer }),
        },
        debtorId: recovery.row.debtor_id,
        actor,
        communicationId: null,
        at: now,
      },
    ])
    const ended = { disputeId: closed.id, outcome: body.outcome, creditedCents: closed.credited_cents }
    recordEvents(
      tx,
      [newEvent(disputeResolved, invoiceId, { ...invoiceEventData(recovery), ...ended })],
      call,
    )
    recordAudit(tx, [newEvent(invoiceDisputeResolved, invoiceId, { invoiceId, ...ended })], call)
    // The debtor has been promised an answer of the creditor before anything else is sent.
    planExtraMessage(call, recovery, {
      step: 'dispute_resolved',
      channel: 'email',
      at: now,
      because: null,
      about: {
        outcome: body.outcome,
        ...(credited > 0 && { amountCents: credited }),
        ...(closed.answer !== null && { answer: closed.answer }),
      },
    })
    if (body.outcome === 'upheld') stayPaused(call, recovery)
    else releaseHolds(call, recovery, ['dispute'])
    return toDispute(closed, invoiceCents, {
      invoiceStatus,
      workflowStatus: recovery.row.status,
      inFlight: credit?.inFlight ?? [],
    })
  },
})

function refuseFaults({ outcome }: DisputeResolution, { file }: OpenRecovery, creditedCents: number): void {
  const verdict = mayResolve(outcome, {
    creditedCents,
    isConsumer: file.type === 'consumer',
    hasMediator: file.creditor.mediator !== null,
  })
  if (verdict.allowed) return
  throw verdict.because === 'credit_missing' ? creditMissing.make() : mediatorMissing.make()
}

async function recountClaim(
  { tx }: OperationContext,
  recovery: OpenRecovery,
  { lowered, since, zone, today }: { lowered: number; since: number; zone: string; today: string },
): Promise<void> {
  const { row, file } = recovery
  const [facts] = await tx.rows(selectClaimFacts, [row.invoice_id, iso(since), zone])
  const invoice = {
    dueDate: row.due_date,
    amountCents: lowered,
    currency: row.currency,
    movements: facts!.movements,
  }
  const { paidAccessories } = owedOf({ ...factsOf(row), claimed: row.claimed_cents })
  const claimed = recountedClaim(row.claimed_cents, invoice, lateTermsOf(file, facts!), today)
  tx.atCommit(lowerClaim, [row.invoice_id, Math.max(claimed, paidAccessories)])
}

/** Replaces the hold `dispute` by `upheld`. */
function stayPaused(context: OperationContext, recovery: OpenRecovery): void {
  if (recovery.row.status !== 'paused') return
  const { holds } = withoutHolds(recovery.row, ['dispute', 'upheld'])
  changeRecovery(context, recovery, { holds: [...holds, 'upheld'] })
  const eventData = invoiceEventData(recovery)
  const decision = { ...eventData, cause: 'upheld_dispute' as const, dueAt: iso(context.now) }
  recordEvents(context.tx, [newEvent(decisionDue, eventData.invoiceId, decision)], context)
}
