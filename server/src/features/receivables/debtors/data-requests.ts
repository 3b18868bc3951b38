import { z } from 'zod'
import {
  alertDays,
  answerDueOn,
  type DataRequestDecision,
  type DataRequestKind,
  dataRequestDecisions,
  dataRequestKinds,
  holdsReminders,
  mayDecide,
} from '../../../domain/data-request.ts'
import { addDays, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, day, line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { isPaused } from '../../recovery/case/debtor-file.ts'
import { debtorErased, debtorUnknown } from '../../recovery/case/errors.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import {
  addHistoryToRunning,
  movePauseEnd,
  pauseAllRecoveries,
  refreshAgendas,
  releaseAllRecoveries,
} from '../../recovery/holds/hold-debtor.ts'
import { announceDue } from './alert-due-requests.ts'
import { debtorRequestDecided, debtorRequestRecorded } from './audit-events.ts'
import { dataRequestDecided, dataRequestNotFound } from './errors.ts'
import { findDebtor } from './read-debtors.ts'

const reason = optional(line(500)).meta({ description: 'Kept in the history' })

const date = z.string().meta({ format: 'date' })

const DataRequestInput = z
  .strictObject({
    kind: z.enum(dataRequestKinds),
    receivedOn: optional(day).meta({ description: 'Today if absent' }),
    reason,
  })
  .meta({ id: 'DataRequestInput' })

const DataRequestDecisionInput = z
  .strictObject({ decision: z.enum(dataRequestDecisions), reason })
  .meta({ id: 'DataRequestDecisionInput' })

const DataRequest = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    kind: z.enum(dataRequestKinds),
    receivedOn: date,
    dueOn: date,
    decision: z.enum(dataRequestDecisions).nullable(),
    decidedOn: date.nullable(),
    createdAt: dateTime,
    inFlight: inFlightMessages.optional(),
  })
  .meta({ id: 'DataRequest' })

const DataRequests = z
  .object({ debtorId: outputUuid, requests: z.array(DataRequest) })
  .meta({ id: 'DataRequests' })

interface RequestRow {
  id: string
  debtor_id: string
  kind: DataRequestKind
  received_on: string
  due_on: string
  decision: DataRequestDecision | null
  decided_on: string | null
  created_at: number
}
const columns = 'id, debtor_id, kind, received_on, due_on, decision, decided_on, created_at'

const toDataRequest = (row: RequestRow): z.input<typeof DataRequest> => ({
  id: row.id,
  debtorId: row.debtor_id,
  kind: row.kind,
  receivedOn: row.received_on,
  dueOn: row.due_on,
  decision: row.decision,
  decidedOn: row.decided_on,
  createdAt: iso(row.created_at),
})

const listRequests = sql(
  'debtors.list-data-requests',
  `select ${columns} from data_requests where debtor_id = $1 order by id desc limit 100`,
).as<RequestRow>()
const insertRequest = sql(
  'debtors.insert-data-request',
  `insert into data_requests (tenant_id, id, debtor_id, kind, received_on, due_on, created_at, alerted_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
).as<RequestRow>()
const decideRequest = sql(
  'debtors.decide-data-request',
  `update data_requests set decision = $3, decided_on = $4 where id = $1 and debtor_id = $2 returning ${columns}`,
).as<RequestRow>()
const lockDebtor = sql(
  'debtors.lock-restriction',
  'select paused_at, paused_until, erased_at is not null as is_erased from debtors where id = $1 for no key update',
)
const saveRestriction = sql(
  'debtors.save-restriction',
  'update debtors set restricted_at = $2, updated_at = $3 where id = $1',
)

type RequestCall = Pick<Call<{ id: string }, unknown, unknown>, 'tx' | 'actor' | 'params'>

/** The lock of everything that changes what the debtor is sent. */
async function openDebtor({ tx, actor, params }: RequestCall) {
  const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, params.id])
  const [debtor] = await tx.rows(lockDebtor, [params.id])
  if (!debtor) throw debtorUnknown.make()
  if (debtor.is_erased) throw debtorErased.make()
  return { agenda: agenda ?? null, debtor }
}

export const recordDataRequest = operation({
  id: 'debtors.recordDataRequest',
  method: 'POST',
  path: '/api/v1/debtors/:id/data-requests',
  summary: 'Record that a person objects to the use of their data, or asks to restrict it',
  description:
    'Every reminder waits, also for later invoices, until the request is refused or lifted. A week before `dueOn`, or at once if less is left, `debtor.request_due` is emitted.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DataRequestInput,
  status: 201,
  reply: DataRequest,
  errors: [debtorUnknown, debtorErased],
  assistant: 'confirm',
  audit: [debtorRequestRecorded],
  example: {
    body: { kind: 'restriction', receivedOn: '2026-11-10', reason: 'The address is wrong, she says' },
  },
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const [, company] = await Promise.all([openDebtor(call), findCompany(tx, actor.companyId)])
    const today = localTime(company.time_zone, now).date
    const receivedOn = body.receivedOn ?? today
    if (receivedOn > today) throw refusedField('receivedOn', 'future', 'is in the future')
    const dueOn = answerDueOn(receivedOn)
    const isDueSoon = dueOn <= addDays(today, alertDays)
    const moments = [iso(now), isDueSoon ? iso(now) : null]
    const [row] = await tx.rows(insertRequest, [newId(), params.id, body.kind, receivedOn, dueOn, ...moments])
    if (isDueSoon) await announceDue(call, row!)
    await tx.rows(saveRestriction, [params.id, iso(now), iso(now)])
    const about = { kind: body.kind, receivedOn, dueOn }
    const said = { ...about, ...(body.reason !== undefined && { reason: body.reason }) }
    const requested = { code: 'data_requested', params: said } as const
    const { inFlight } = await pauseAllRecoveries(call, params.id, requested, null)
    const data = { debtorId: params.id, requestId: row!.id, ...about }
    recordAudit(tx, [newEvent(debtorRequestRecorded, params.id, data)], call)
    return { ...toDataRequest(row!), inFlight }
  },
})

export const decideDataRequest = operation({
  id: 'debtors.decideDataRequest',
  method: 'POST',
  path: '/api/v1/debtors/:id/data-requests/:requestId/decide',
  summary: 'Record the decision about a request: granted, refused, or later lifted',
  description:
    'The reminders go on when no request is open or granted. Tell the person yourself, with your reasons if you refuse, and before you lift a restriction (art. 12(4), 18(3) GDPR).',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid, requestId: uuid }),
  body: DataRequestDecisionInput,
  status: 200,
  reply: DataRequest,
  errors: [debtorUnknown, debtorErased, dataRequestNotFound, dataRequestDecided],
  assistant: 'confirm',
  audit: [debtorRequestDecided],
  example: { body: { decision: 'refused', reason: 'The invoice is owed and due' } },
  async run(call) {
    const { tx, actor, params, body, now } = call
    const [{ agenda, debtor }, company] = await Promise.all([
      openDebtor(call),
      findCompany(tx, actor.companyId),
    ])
    const requests = await tx.rows(listRequests, [params.id])
    const current = requests.find(({ id }) => id === params.requestId)
    if (!current) throw dataRequestNotFound.make()
    if (!mayDecide(current.decision, body.decision)) throw dataRequestDecided.make()
    const { date: today } = localTime(company.time_zone, now)
    const [row] = await tx.rows(decideRequest, [params.requestId, params.id, body.decision, today])
    const { kind } = current
    await addHistoryToRunning(call, params.id, {
      action: 'data_request',
      channel: null,
      code: 'data_request_decided',
      params: {
        kind,
        decision: body.decision,
        ...(body.reason !== undefined && { reason: body.reason }),
      },
    })
    const isStillHeld = [row!, ...requests.filter(({ id }) => id !== row!.id)].some(({ decision }) =>
      holdsReminders(decision),
    )
    if (!isStillHeld) {
      await tx.rows(saveRestriction, [params.id, null, iso(now)])
      if (isPaused(debtor, now)) await movePauseEnd(call, params.id, debtor.paused_until)
      else await releaseAllRecoveries(call, params.id, agenda, 'debtor')
      refreshAgendas(call, [params.id])
    }
    const data = { debtorId: params.id, requestId: row!.id, kind, decision: body.decision }
    recordAudit(tx, [newEvent(debtorRequestDecided, params.id, data)], call)
    return toDataRequest(row!)
  },
})

export const listDataRequests = operation({
  id: 'debtors.dataRequests',
  method: 'GET',
  path: '/api/v1/debtors/:id/data-requests',
  summary: 'List what a person asked about their data, the newest first',
  scopes: ['debtors:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: DataRequests,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params }) {
    const requests = await tx.rows(listRequests, [params.id])
    if (requests.length === 0 && !(await findDebtor(tx, params.id))) throw debtorUnknown.make()
    return { debtorId: params.id, requests: requests.map(toDataRequest) }
  },
})
