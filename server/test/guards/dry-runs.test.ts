import { describe, expect, it } from 'vitest'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import { environmentOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()

const takesDryRun = ({ body }: (typeof operations)[number]) =>
  body !== null && body !== undefined && 'shape' in body && 'dryRun' in (body.shape as object)
/** Tasks have a dry run of their own kind: it is judged by a worker, and waits in review. */
const isTask = ({ id }: (typeof operations)[number]) => id.startsWith('tasks.')

it('what takes dryRun is performed and undone, and nothing else is', () => {
  const named = operations.filter(operation => takesDryRun(operation) && !isTask(operation))
  const undone = operations.filter(({ rehearse }) => rehearse !== undefined)
  expect(named.map(({ id }) => id)).toEqual(undone.map(({ id }) => id))
})

const acts = operations.filter(({ rehearse }) => rehearse !== undefined)

it('these acts can be tried', () => {
  expect(acts.map(({ id }) => id).sort()).toEqual([
    'debtors.addPerson',
    'debtors.changePerson',
    'debtors.closeReply',
    'debtors.decideSituation',
    'debtors.optOut',
    'debtors.pause',
    'debtors.promise',
    'debtors.reportSituation',
    'debtors.resume',
    'debtors.retryAddress',
    'debtors.update',
    'debtors.wrongPerson',
    'invoices.cancel',
    'invoices.credit',
    'invoices.dispute',
    'invoices.promise',
    'invoices.resolveDispute',
    'invoices.waiveLatePayment',
    'invoices.writeOff',
    'payments.create',
    'payments.receive',
    'payments.refund',
    'payments.reverse',
    'payments.settle',
    'workflow.communicate',
    'workflow.recordFiling',
    'workflow.trigger',
  ])
})

it.each(acts)('an act that is done has neither the mark nor a plan: $id', async operation => {
  const key = (await calls.makeKey(scopes, { environment: environmentOf(operation) })).text
  const answer = await calls.call(operation, { key, body: await calls.bodyFor(operation) })
  expect(answer.status, answer.text).toBe(operation.status)
  for (const name of ['dryRun', 'plan']) expect(answer.body.data).not.toHaveProperty(name)
})

describe('a dry run says that it is one, and has no id of something new', () => {
  it.each(acts)('$id', async operation => {
    const key = (await calls.makeKey(scopes, { environment: environmentOf(operation) })).text
    const body = { ...(await calls.bodyFor(operation)), dryRun: true }
    const answer = await calls.call(operation, { key, body })
    expect(answer.status, answer.text).toBe(operation.status)
    const data = answer.body.data as Record<string, unknown>
    expect(data.dryRun).toBe(true)
    if (operation.status !== 200 && 'id' in data) expect(data.id).toBeNull()
    expect(operation.reply.safeParse(data).error).toBeUndefined()
  })
})
