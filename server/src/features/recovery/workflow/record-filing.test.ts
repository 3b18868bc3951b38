import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

const ended = async (name: string) => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor(name) })
  await sandbox.advanceToDay('2026-11-18')
  const file = (body: Record<string, unknown>) =>
    sandbox.call('POST', `/api/v1/workflow/invoice/${id}/filing`, body)
  const endAmicableStage = async () => {
    await installation.sql(
      `update recoveries set step = 8, last_action = 'ai_call_2', notice_at = '2026-10-01', notice_channel = 'lrar',
         notice_receipt = 'signed', notice_receipt_at = '2026-10-03' where invoice_id = $1`,
      [id],
    )
    expect((await sandbox.trigger(id, { action: 'escalate' })).status).toBe(200)
  }
  return { sandbox, id, file, endAmicableStage }
}

const filed = { filedOn: '2026-11-17', filingProof: 'RG 26/01234' }
const served = { servedOn: '2026-11-18', serviceProof: 'Acte 2026-118' }

it('what was filed and served is kept with its proof, shown, told in the history and audited', async () => {
  const { sandbox, id, file, endAmicableStage } = await ended('Filing SARL')
  const early = await file(filed)
  expect([early.status, early.body.error.code]).toEqual([400, 'BIZ_004'])
  await endAmicableStage()
  const none = { servedOn: null, serviceProof: null }
  const tried = (await file({ ...filed, dryRun: true })).body.data
  expect(tried).toMatchObject({ ...filed, ...none, dryRun: true, plan: { before: [{ actions: [] }] } })
  const first = (await file(filed)).body.data
  expect(first).toEqual({ invoiceId: id, ...filed, ...none, limitationEndsOn: expect.any(String) })
  const second = (await file(served)).body.data
  expect(second).toEqual({ invoiceId: id, ...filed, ...served, limitationEndsOn: '2031-11-18' })
  const invoice = await sandbox.done<{ recovery: object }>('GET', `/api/v1/invoices/${id}?include=recovery`)
  expect(invoice.recovery).toMatchObject({
    status: 'judicial',
    filedOn: '2026-11-17',
    servedOn: '2026-11-18',
  })
  const lines = (await sandbox.history(id)).filter(({ action }) => action === 'filing')
  expect(lines.map(({ details }) => details)).toEqual([
    'Filed on 17 November 2026: RG 26/01234',
    'Served on 18 November 2026: Acte 2026-118',
  ])
  const audited = await installation.sql<{ data: object }>(
    `select data from audit_log where type = 'workflow.filing_recorded' and data ->> 'invoiceId' = $1 order by id`,
    [id],
  )
  expect(audited.map(({ data }) => data)).toMatchObject([
    { filedOn: '2026-11-17', servedOn: null },
    { filedOn: '2026-11-17', servedOn: '2026-11-18' },
  ])
})

it('the day of service starts the limitation again, the day of filing does not; after its end neither', async () => {
  const { sandbox, id, file, endAmicableStage } = await ended('Served SARL')
  const timeBar = async () =>
    (
      await sandbox.done<{ recovery: { limitationEndsOn: string; limitationBecause: string } }>(
        'GET',
        `/api/v1/invoices/${id}?include=recovery`,
      )
    ).recovery
  await endAmicableStage()
  const before = await timeBar()
  expect(before.limitationBecause).toBe('issue_date')
  await file(filed)
  expect(await timeBar()).toMatchObject({
    limitationEndsOn: before.limitationEndsOn,
    limitationBecause: 'issue_date',
  })
  await file(served)
  const again = { limitationEndsOn: '2031-11-18', limitationFrom: '2026-11-18', limitationBecause: 'served' }
  expect(await timeBar()).toMatchObject(again)
  // What it is counted from is computed again with every fact, and the service stays one of them.
  await sandbox.done('PUT', `/api/v1/invoices/${id}`, { suppliedOn: '2021-11-18' })
  expect(await timeBar()).toMatchObject(again)
  await sandbox.done('PUT', `/api/v1/invoices/${id}`, { suppliedOn: '2021-11-17' })
  expect(await timeBar()).toMatchObject({ limitationEndsOn: '2026-11-17', limitationBecause: 'supply' })
})

it('a day without its proof, in the future, or in the wrong order is refused', async () => {
  const { file, endAmicableStage } = await ended('Wrong SARL')
  await endAmicableStage()
  const codeOf = async (body: Record<string, unknown>) => (await file(body)).body.error?.code
  const [filedOn, filingProof] = [filed.filedOn, filed.filingProof]
  for (const body of [{}, { filedOn }, { filingProof }, { ...filed, servedOn: '2026-11-18' }])
    expect(await codeOf(body), JSON.stringify(body)).toBe('VAL_003')
  for (const body of [
    { ...filed, filedOn: '2027-01-01' },
    { ...filed, filedOn: '2020-01-01' },
    { ...filed, ...served, servedOn: '2026-11-16' },
  ])
    expect(await codeOf(body), JSON.stringify(body)).toBe('VAL_001')
})
