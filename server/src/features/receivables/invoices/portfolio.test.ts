import { beforeAll, expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

let sandbox: Sandbox
const numbers: Record<string, string> = {}
const ids: Record<string, string> = {}

beforeAll(async () => {
  sandbox = await newSandbox(installation)
  const made = async (name: string, changes: object) => {
    numbers[name] = `N-${name}`
    ids[name] = (
      await sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`), invoiceNumber: `N-${name}`, ...changes })
    ).id
  }
  await made('soon', { dueDate: '2026-11-20', amountCents: 50_000 })
  await made('later', { dueDate: '2026-12-01', amountCents: 10_000 })
  await made('held', { dueDate: '2026-12-05', amountCents: 30_000 })
  await made('person', {
    dueDate: '2026-12-10',
    amountCents: 20_000,
    debtor: {
      name: 'Anne Petit',
      email: 'anne@petit.example',
      postalCode: '69002',
      city: 'Lyon',
      type: 'consumer',
    },
  })
  await sandbox.trigger(ids.held!, { action: 'pause' })
  await sandbox.trigger(ids.person!, { action: 'cancel' })
})

const list = (query: string) => sandbox.call<{ invoiceNumber: string }[]>('GET', `/api/v1/invoices?${query}`)
const found = async (query: string) => {
  const answer = await list(query)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map(({ invoiceNumber }) => invoiceNumber.slice(2))
}

it('invoices are found by where they stand, their due date and their age', async () => {
  expect(await found('standing=running&sortBy=due_date&sortOrder=asc')).toEqual(['soon', 'later'])
  expect(await found('standing=held:asked,ended&sortBy=due_date&sortOrder=asc')).toEqual(['held', 'person'])
  expect(await found('dueFrom=2026-12-01&dueTo=2026-12-05&sortBy=due_date&sortOrder=asc')).toEqual([
    'later',
    'held',
  ])
  expect(await found('overdueMin=-4')).toEqual(['soon'])
  expect(await found('overdueMax=-19&sortBy=due_date&sortOrder=asc')).toEqual(['held', 'person'])
  for (const [query, total] of [
    ['standing=running', 2],
    ['standing=running,held:asked&dueTo=2026-12-05', 3],
    ['standing=running&dueFrom=2026-12-01', 1],
    ['standing=running,ended', 3],
  ] as const)
    expect((await list(query)).body.pagination, query).toMatchObject({ total })
})

it('and by their recovery and their debtor', async () => {
  expect(await found('workflowStatus=paused')).toEqual(['held'])
  expect(await found('workflowStatus=paused&standing=running')).toEqual([])
  expect(await found('debtorType=consumer')).toEqual(['person'])
  expect(await found('step=email_prise_en_charge&sortBy=due_date&sortOrder=asc')).toEqual([
    'soon',
    'later',
    'held',
  ])
  expect(await found('step=ai_call')).toEqual([])
  const { reasonCode } = await sandbox.nextAction(ids.soon!)
  expect(reasonCode).toBeTruthy()
  expect(await found('reasonCode=weekly_cap')).toEqual([])
  expect(await found('debtorType=business&search=N-s')).toEqual(['soon'])
})

it('by the next contact of their debtor, and in its order', async () => {
  const { scheduledAt } = await sandbox.nextAction(ids.soon!)
  expect(await found('sortBy=next_action_at&sortOrder=asc')).toEqual(['soon', 'later'])
  expect(await found('sortBy=next_action_at&sortOrder=desc')).toEqual(['later', 'soon'])
  expect(await found(`nextTo=${scheduledAt}`)).toEqual(['soon'])
  expect(await found(`nextFrom=${scheduledAt}&nextTo=2026-11-25T00:00:00Z&sortBy=next_action_at`)).toEqual([
    'soon',
  ])
  expect(await found('nextFrom=2026-11-25T00:00:00Z')).toEqual(['later'])
  const first = await list('sortBy=next_action_at&sortOrder=asc&limit=1')
  const cursor = (first.body.pagination as { nextCursor?: string }).nextCursor
  expect(await found(`sortBy=next_action_at&sortOrder=asc&limit=1&cursor=${cursor}`)).toEqual(['later'])
  expect(await found('sortBy=next_action_at&search=N-l')).toEqual(['later'])
})

it.each([
  'standing=running,held:asked,ended',
  'standing=running,held:asked,ended&sortOrder=asc',
  'standing=running,held:asked&dueFrom=2026-11-20&dueTo=2026-12-05&sortBy=due_date',
  'standing=ended,running&sortBy=due_date&sortOrder=asc',
  'nextTo=2027-01-01T00:00:00Z',
  'nextTo=2027-01-01T00:00:00Z&sortOrder=asc',
  'nextTo=2027-01-01T00:00:00Z&sortBy=due_date',
])('page by page and cursor by cursor, %s is the same', async query => {
  const whole = await found(query)
  expect(whole.length).toBeGreaterThan(1)
  const [paged, followed]: string[][] = [[], []]
  let cursor = ''
  for (let page = 1; page <= whole.length; page++) {
    paged!.push(...(await found(`${query}&limit=1&page=${page}`)))
    const next = await list(`${query}&limit=1${cursor}`)
    followed!.push(...next.body.data.map(({ invoiceNumber }) => invoiceNumber.slice(2)))
    expect(next.body.pagination).toMatchObject({ total: whole.length, hasNext: page < whole.length })
    cursor = `&cursor=${(next.body.pagination as { nextCursor?: string }).nextCursor}`
  }
  expect(paged).toEqual(whole)
  expect(followed).toEqual(whole)
})

it('and by what is still open', async () => {
  expect(await found('sortBy=balance&sortOrder=desc&limit=2')).toEqual(['soon', 'held'])
  const first = await list('sortBy=balance&sortOrder=desc&limit=2')
  const cursor = (first.body.pagination as { nextCursor?: string }).nextCursor
  expect(await found(`sortBy=balance&sortOrder=desc&limit=2&cursor=${cursor}`)).toHaveLength(2)
})
