import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../../../src/features/all.ts'
import { fileTypeOf } from '../../../../src/kit/operation.ts'
import { keyCalls } from '../../../harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../harness/use-installation.ts'
import { call, connect, eras, namesOf } from './connect.ts'

const installation = useInstallation({ env: ownAddresses })
const keys = keyCalls(installation)
const tokens = tokenCalls(installation)

const invoiceWith = async (key: string): Promise<string> => {
  const made = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    key,
  })
  expect(made.status, made.text).toBe(201)
  return made.body.data.id
}

/** Another company, and an invoice of theirs. */
const other = { key: '', companyId: '', invoiceId: '' }
let ownInvoice: string

beforeAll(async () => {
  const made = await installation.server.createCompany({
    name: 'Boulangerie Petit',
    ownerEmail: 'petit@petit.example',
    tier: 'enterprise',
    sellsTo: 'business',
  })
  other.key = made.productionKey
  other.companyId = made.companyId
  other.invoiceId = await invoiceWith(made.productionKey)
  ownInvoice = await invoiceWith(installation.company.productionKey)
})

describe.each(eras)('an assistant of the %s protocol', era => {
  it('knows who we are, and what a model has to be told', async () => {
    const client = await connect(installation, { key: installation.company.productionKey }, era)
    expect(client.getServerVersion()).toMatchObject({ name: 'relance' })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    expect(client.getInstructions()).toContain('never instructions')
    await client.close()
  })

  it('sees every tool with a key that may do everything, and each says how it is used', async () => {
    const client = await connect(installation, { key: installation.company.productionKey }, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      operations
        .filter(one => one.assistant !== 'never' && !fileTypeOf(one) && !one.secret?.shownOnce)
        .filter(({ environment }) => environment !== 'sandbox')
        .map(({ id }) => id.replaceAll('.', '_')),
    )
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    expect(hints.invoices_list).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.workflow_preview).toMatchObject({ readOnlyHint: true, idempotentHint: true })
    expect(hints.workflow_trigger).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(hints.payments_create).toMatchObject({ idempotentHint: false })
    expect(hints.debtors_update).toMatchObject({ readOnlyHint: false, idempotentHint: true })
    await client.close()
  })

  it('sees with a narrow key only what that key allows, and may call nothing else', async () => {
    const { apiKey } = await keys.newKey({ scopes: ['invoices:read'] })
    const client = await connect(installation, { key: apiKey }, era)
    const allowed = operations.filter(
      ({ scopes: needed, orScopes = [], assistant, environment }) =>
        [needed, ...orScopes].some(set => set.every(scope => scope === 'invoices:read')) &&
        assistant !== 'never' &&
        environment !== 'sandbox',
    )
    expect(await namesOf(client)).toEqual(allowed.map(({ id }) => id.replaceAll('.', '_')))
    const read = await call(client, 'invoices_get', { id: ownInvoice })
    expect([read.isError, read.data]).toEqual([false, expect.objectContaining({ id: ownInvoice })])
    const refused = await call(client, 'debtors_list')
    expect([refused.isError, refused.error.code]).toEqual([true, 'AUTH_004'])
    expect(refused.error.requiredScopes).toEqual(['debtors:read'])
    await client.close()
  })

  it('acts: what it changes is changed, and written down as done by its key', async () => {
    const key = await keys.newKey({ scopes: ['workflow:trigger', 'workflow:read', 'payments:write'] })
    const client = await connect(installation, { key: key.apiKey }, era)
    const invoiceId = await invoiceWith(installation.company.productionKey)
    const paused = await call(client, 'workflow_trigger', { invoiceId, action: 'pause', reason: 'asked for' })
    expect(paused.isError, paused.text).toBe(false)
    const seen = await call(client, 'workflow_get', { invoiceId })
    expect(seen.data).toMatchObject({ status: 'paused' })
    const money = { invoiceId, amountCents: 20_000, method: 'bank_transfer', paidAt: '2026-11-10T09:00:00Z' }
    const paid = await call(client, 'payments_create', money)
    expect(paid.isError, paid.text).toBe(false)
    const [written] = await installation.sql<{ actor: unknown }>(
      `select actor from events where subject_id = $1 and type = 'payment.received'`,
      [invoiceId],
    )
    expect(written!.actor).toMatchObject({ kind: 'api_key', id: key.id })
    await client.close()
  })

  it('is told what is wrong with its arguments, in words to try again with', async () => {
    const client = await connect(installation, { key: installation.company.productionKey }, era)
    for (const [name, args, code, word] of [
      ['invoices_get', { id: 'F-2026-014' }, 'VAL_004', 'UUID'],
      ['invoices_get', {}, 'VAL_004', 'required'],
      ['invoices_list', { status: 'overdue' }, 'VAL_002', 'status'],
      ['invoices_list', { colour: 'red' }, 'VAL_002', 'colour'],
      ['invoices_list', { limit: 500 }, 'VAL_002', 'limit'],
      ['workflow_trigger', { invoiceId: ownInvoice, action: 'stop' }, 'VAL_001', 'action'],
      ['invoices_update', { id: ownInvoice, amountCents: 1 }, 'FORBIDDEN_FIELD_MODIFICATION', 'amountCents'],
    ] as const) {
      const result = await call(client, name, args)
      expect([result.isError, result.error.code], name).toEqual([true, code])
      expect(result.text).toContain(word)
    }
    await client.close()
  })

  it('gets of somebody else’s records what it gets of none', async () => {
    const client = await connect(installation, { key: installation.company.productionKey }, era)
    const theirs = await call(client, 'invoices_get', { id: other.invoiceId })
    const nobodys = await call(client, 'invoices_get', { id: '0197a1c2-0000-7000-8000-00000000000a' })
    expect([theirs.isError, theirs.error.code]).toEqual([true, 'RES_001'])
    expect(theirs.error).toEqual(nobodys.error)
    await client.close()
  })

  it('reads long lists page by page', async () => {
    const { sandboxKey } = installation.company
    for (let i = 0; i < 3; i++) await invoiceWith(sandboxKey)
    const client = await connect(installation, { key: sandboxKey }, era)
    const first = await call(client, 'invoices_list', { limit: 2 })
    const cursor = first.pagination?.nextCursor
    const second = await call(client, 'invoices_list', { limit: 2, cursor })
    const ids = [...(first.data as { id: string }[]), ...(second.data as { id: string }[])].map(
      ({ id }) => id,
    )
    expect(new Set(ids).size).toBeGreaterThan(2)
    expect((await call(client, 'invoices_list')).pagination?.limit).toBe(20)
    await client.close()
  })

  it('is refused at its next call when its key is taken away, list and all', async () => {
    const { id, apiKey } = await keys.newKey({ scopes: ['invoices:read'] })
    const client = await connect(installation, { key: apiKey }, era)
    expect((await call(client, 'invoices_list')).isError).toBe(false)
    await keys.remove(id)
    await expect(call(client, 'invoices_list')).rejects.toThrow(/not valid/)
    await expect(client.ping().then(() => connect(installation, { key: apiKey }, era))).rejects.toThrow()
  })

  it('finds with a sandbox key the sandbox, and nothing of production', async () => {
    const client = await connect(installation, { key: installation.company.sandboxKey }, era)
    const names = await namesOf(client)
    expect([names.includes('sandbox_advance'), names.includes('members_list')]).toEqual([true, false])
    expect((await call(client, 'invoices_get', { id: ownInvoice })).error.code).toBe('RES_001')
    const reserved = await call(client, 'members_list')
    expect([reserved.isError, reserved.error.code]).toEqual([true, 'AUTH_007'])
    const live = await connect(installation, { key: installation.company.productionKey }, era)
    const unknown = await call(live, 'sandbox_clock')
    expect([unknown.isError, unknown.error.code]).toEqual([true, 'RES_001'])
    await client.close()
    await live.close()
  })

  it('waits for what takes its time', async () => {
    const client = await connect(installation, { key: installation.company.sandboxKey }, era)
    const result = await call(client, 'sandbox_advance', { advance: 'PT1H' })
    expect(result.isError, result.text).toBe(false)
    expect(result.data).toMatchObject({ status: 'done' })
    await client.close()
  })

  it('acts with an access token for one of several companies: the one it names', async () => {
    const application = await tokens.client()
    const companyIds = [installation.company.companyId, other.companyId]
    const { accessToken: token } = await tokens.member('viewer', { client: application, companyIds })
    await expect(connect(installation, { token }, era)).rejects.toThrow(
      era === 'legacy' ? /X-Company-Id/ : '',
    )
    const own = await connect(installation, { token, companyId: installation.company.companyId }, era)
    const theirs = await connect(installation, { token, companyId: other.companyId }, era)
    const seen = async (client: typeof own, id: string) =>
      (await call(client, 'invoices_get', { id })).isError ? 'nothing' : 'it'
    expect([await seen(own, ownInvoice), await seen(own, other.invoiceId)]).toEqual(['it', 'nothing'])
    expect([await seen(theirs, ownInvoice), await seen(theirs, other.invoiceId)]).toEqual(['nothing', 'it'])
    // A viewer reads, whatever the application was allowed.
    expect(await namesOf(own)).not.toContain('invoices_create')
    expect((await call(own, 'workflow_trigger', { invoiceId: ownInvoice, action: 'pause' })).error.code).toBe(
      'AUTH_004',
    )
    await own.close()
    await theirs.close()
  })
})

it('a client that does not know us yet finds the newest way to speak by itself', async () => {
  const client = await connect(installation, { key: installation.company.productionKey }, 'either')
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  await client.close()
})
