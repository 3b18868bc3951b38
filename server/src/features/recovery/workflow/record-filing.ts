import { z } from 'zod'
import { type LocalDate, localTime } from '../../../domain/time.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { day, days, fault, line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { restateTimeBar } from '../case/change-recovery.ts'
import { amicableStageRuns, invoiceNotFound } from '../case/errors.ts'
import { addActions } from '../case/history.ts'
import { changeRecovery, openRecovery } from '../case/open-recovery.ts'
import { filingRecorded } from './audit-events.ts'
import { ofDryRun } from './plan-schema.ts'
import { dryRun, withPlans } from './rehearse.ts'

const proofOf = {
  filedOn: 'filingProof',
  servedOn: 'serviceProof',
} as const

const FilingInput = z
  .strictObject({
    filedOn: optional(day).meta(days(null, 0)),
    filingProof: optional(line(200)),
    servedOn: optional(day).meta(days(null, 0)),
    serviceProof: optional(line(200)),
    dryRun,
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], ...fault('missing', message) })
    if (body.filedOn === undefined && body.servedOn === undefined) refuse('filedOn', 'or servedOn is needed')
    for (const [on, proof] of Object.entries(proofOf) as [keyof typeof proofOf, 'filingProof'][])
      if ((body[on] === undefined) !== (body[proof] === undefined))
        refuse(body[on] === undefined ? on : proof, `goes with ${body[on] === undefined ? proof : on}`)
  })
  .meta({ id: 'FilingInput' })

const Filing = z
  .object({
    invoiceId: outputUuid,
    filedOn: z.string().nullable().meta({ format: 'date' }),
    filingProof: z.string().nullable(),
    servedOn: z.string().nullable().meta({ format: 'date' }),
    serviceProof: z.string().nullable(),
    limitationEndsOn: z.string().meta({ format: 'date' }),
    ...ofDryRun,
  })
  .meta({ id: 'Filing' })

export const recordFiling = operation({
  id: 'workflow.recordFiling',
  method: 'POST',
  path: '/api/v1/workflow/invoice/:invoiceId/filing',
  summary: 'Record that the claim was filed with a court, or served, with its proof',
  description:
    'The program files nothing. The limitation, by estimate, starts again on the day of service if it is in time; a reminder or a formal notice moves nothing.',
  scopes: ['workflow:trigger'],
  params: z.strictObject({ invoiceId: uuid }),
  body: FilingInput,
  status: 200,
  reply: Filing,
  errors: [invoiceNotFound, amicableStageRuns],
  assistant: 'confirm',
  audit: [filingRecorded],
  example: { body: { filedOn: '2026-11-02', filingProof: 'RG 26/01234' } },
  rehearse: (call, perform) => withPlans(call, [call.params.invoiceId], perform),
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const [recovery, company] = await Promise.all([
      openRecovery(call, params.invoiceId),
      findCompany(tx, actor.companyId),
    ])
    if (!recovery) throw invoiceNotFound.make()
    const { row } = recovery
    if (row.judicial_at === null) throw amicableStageRuns.make(row.status)
    const today = localTime(company.time_zone, now).date
    const dates = { filedOn: body.filedOn ?? row.filed_on, servedOn: body.servedOn ?? row.served_on }
    refuseImpossible(dates, { today, issueDate: row.issue_date })
    changeRecovery(call, recovery, {
      ...(body.filedOn !== undefined && { filed_on: body.filedOn, filing_proof: body.filingProof! }),
      ...(body.servedOn !== undefined && { served_on: body.servedOn, service_proof: body.serviceProof! }),
    })
    if (body.servedOn !== undefined) restateTimeBar(call, recovery, { served_on: body.servedOn })
    const { invoice_id: invoiceId, debtor_id: debtorId } = row
    const recorded = [
      ...(body.filedOn === undefined
        ? []
        : [{ code: 'filed' as const, params: { date: body.filedOn, note: body.filingProof! } }]),
      ...(body.servedOn === undefined
        ? []
        : [{ code: 'served' as const, params: { date: body.servedOn, note: body.serviceProof! } }]),
    ]
    addActions(
      tx,
      recorded.map(fact => ({
        ...fact,
        id: newId(),
        invoiceId,
        debtorId,
        actor,
        action: 'filing',
        channel: null,
        status: 'done',
        communicationId: null,
        at: now,
      })),
    )
    recordAudit(tx, [newEvent(filingRecorded, invoiceId, { invoiceId, ...dates })], call)
    const {
      filing_proof: filingProof,
      service_proof: serviceProof,
      limitation_ends_on: limitationEndsOn,
    } = recovery.row
    return { invoiceId, ...dates, filingProof, serviceProof, limitationEndsOn }
  },
})

function refuseImpossible(
  { filedOn, servedOn }: Record<keyof typeof proofOf, LocalDate | null>,
  { today, issueDate }: { today: LocalDate; issueDate: LocalDate },
): void {
  for (const [field, date] of Object.entries({ filedOn, servedOn })) {
    if (date === null) continue
    if (date > today) throw refusedField(field, 'future', 'is in the future')
    if (date < issueDate) throw refusedField(field, 'before_issue', 'is before the issue date of the invoice')
  }
  if (filedOn !== null && servedOn !== null && servedOn < filedOn)
    throw refusedField('servedOn', 'before_filing', 'is before filedOn')
}
