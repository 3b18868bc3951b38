import { expect, it } from 'vitest'
import { lyonDebtor, type Message, newSandbox } from '../../../../test/harness/sandbox.ts'
import { type ApiResponse, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()

it('what would have been sent is read word for word, the newest first, by invoice and by channel', async () => {
  const sandbox = await newSandbox(installation)
  const one = await sandbox.invoice({ debtor: lyonDebtor('Un SARL') })
  const two = await sandbox.invoice({ debtor: lyonDebtor('Deux SARL') })
  await sandbox.advance('P30D')
  const all = await sandbox.messages()
  expect(all).toHaveLength(14)
  const moments = all.map(({ createdAt }) => createdAt)
  expect(moments).toEqual(moments.toSorted().reverse())
  const letters = await sandbox.messages('&channel=lrar')
  expect(letters.map(({ channel }) => channel)).toEqual(['lrar', 'lrar'])
  expect(letters.flatMap(({ invoiceIds }) => invoiceIds).toSorted()).toEqual([one.id, two.id].toSorted())
  const [letter, ...others] = await sandbox.messages(`&channel=lrar&invoiceId=${one.id}`)
  expect(others).toEqual([])
  expect(letter).toMatchObject({
    recipient: expect.stringContaining('12 rue Mercière'),
    invoiceIds: [one.id],
  })
  expect(letter!.body.toLowerCase()).toContain('en demeure de payer')
  expect(await sandbox.messages(`&invoiceId=${two.id}`)).toEqual(
    all.filter(({ invoiceIds }) => invoiceIds.includes(two.id)),
  )
})

it('a message names its step, its debtor and when it was executed, as the history does', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Cinq SARL') })
  await sandbox.advance('P1D')
  const [line] = await sandbox.history(id)
  expect(await sandbox.messages()).toMatchObject([
    { action: line!.action, executedAt: line!.executedAt, debtorId: debtor.id, createdAt: line!.executedAt },
  ])
})

it('page by page and cursor by cursor every message is met once', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Trois SARL') })
  await sandbox.invoice({ debtor: lyonDebtor('Quatre SARL') })
  await sandbox.advance('P30D')
  const all = (await sandbox.messages()).map(({ communicationId }) => communicationId)
  const collected: string[] = []
  let path: string | null = '/api/v1/sandbox/messages?limit=4'
  while (path !== null) {
    const answer: ApiResponse<Message[]> = await sandbox.call<Message[]>('GET', path)
    expect(answer.body.pagination.total).toBe(14)
    collected.push(...answer.body.data.map(({ communicationId }) => communicationId))
    path = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
  }
  expect(collected).toEqual(all)
  const third = await sandbox.done<Message[]>('GET', '/api/v1/sandbox/messages?limit=4&page=3')
  expect(third.map(({ communicationId }) => communicationId)).toEqual(all.slice(8, 12))
})
