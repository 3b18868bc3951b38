import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { checkInvariants } from '../../chaos/fuzz-invariants.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation', redisUrl: undefined })

/** docs/proofs.md says how to run more. */
const races = Number(process.env.RECEIPT_RACES ?? 100)
const seed = Number(process.env.RECEIPT_SEED ?? Date.now() % 1_000_000)
const invoiceCount = 40
const amountCents = 10_000

/** Park and Miller: the same choices for the same seed, whatever the processes do. */
function randomOf(start: number) {
  let state = start + 1
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

interface Payment {
  id: string
  invoiceId: string
  amountCents: number
  status: string
  receiptId: string | null
}
interface Invoice {
  id: string
  status: string
  paidCents: number
  balanceCents: number
  overpaidCents: number
}

/** What an invoice must be, from its payments alone. */
function expectedOf(payments: readonly Payment[]) {
  const arrived = payments.filter(({ status }) => status === 'completed')
  const paid = arrived.reduce((sum, payment) => sum + payment.amountCents, 0)
  return {
    paidCents: Math.min(paid, amountCents),
    balanceCents: Math.max(0, amountCents - paid),
    overpaidCents: Math.max(0, paid - amountCents),
    isPaid: paid >= amountCents,
    isPartial: paid > 0 && paid < amountCents,
    bankCents: paid,
    entries: payments.length + payments.filter(({ status }) => status === 'refunded').length,
  }
}

it(`a sum over ${invoiceCount} invoices, between ${races} payments, refunds and wakes, seed ${seed}: everything is what the payments say`, async () => {
  const random = randomOf(seed)
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor(`Aciérie ${randomUUID().slice(0, 4)}`)
  const bulk = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: Array.from({ length: invoiceCount }, (_, i) => ({
      invoiceNumber: `F-${i}`,
      amountCents,
      issueDate: '2026-09-01',
      dueDate: `2026-10-${String(1 + (i % 28)).padStart(2, '0')}`,
      debtor,
    })),
  })
  const ids = bulk.results.map(({ id }) => id)
  const {
    debtor: { id: debtorId },
  } = await sandbox.done<{ debtor: { id: string } }>('GET', `/api/v1/invoices/${ids[0]}`)

  const answered: Record<string, number> = {}
  const receipts = new Map<string, number>()
  const refundable: string[] = []
  /** As a client does: a server that has no place for the request now is asked again, with the same key. */
  async function post(path: string, body: object, key: string) {
    for (;;) {
      const answer = await installation.call<{
        id?: string
        receiptId?: string
        split?: { paymentId: string }[]
      }>('POST', path, { key: sandbox.key, body, headers: { 'idempotency-key': key } })
      if (answer.status !== 503) return answer
      await pause(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }
  /** Sent twice with one key: the second answer is that of the first, and nothing is done twice. */
  async function twice(path: string, body: object) {
    const key = randomUUID()
    const answers = await Promise.all([post(path, body, key), post(path, body, key)])
    // 423: the first is still running.
    const done = answers.find(({ status }) => status === 201)
    for (const { status } of answers) answered[status] = (answered[status] ?? 0) + 1
    return done?.body.data
  }
  const receive = async (cents: number) => {
    const receipt = await twice('/api/v1/receipts', {
      debtorId,
      amountCents: cents,
      method: 'bank_transfer',
      instrument: 'cheque',
      externalReference: randomUUID(),
    })
    if (!receipt) return
    receipts.set(receipt.receiptId!, cents)
    refundable.push(...receipt.split!.map(({ paymentId }) => paymentId))
  }
  const pay = async (cents: number) => {
    const payment = await twice('/api/v1/payments', {
      invoiceId: ids[random(ids.length)],
      amountCents: cents,
      method: 'bank_transfer',
    })
    if (payment) refundable.push(payment.id!)
  }
  const refund = async () => {
    const [id] = refundable.splice(random(Math.max(1, refundable.length)), 1)
    if (id) await sandbox.call('POST', `/api/v1/payments/${id}/refund`, {})
  }
  const wake = () => sandbox.call('POST', '/api/v1/sandbox/clock', { advance: 'PT6H' })
  const large = receive(invoiceCount * amountCents - 50_000)
  const acts = [() => pay(1 + random(amountCents)), refund, () => receive(1 + random(3 * amountCents)), wake]
  await Promise.all([large, ...Array.from({ length: races }, () => acts[random(acts.length)]!())])
  // Enough happened, and nothing failed: refusals are of what was paid meanwhile.
  expect(
    Object.keys(answered).filter(status => !['201', '400', '423'].includes(status)),
    JSON.stringify(answered),
  ).toEqual([])
  expect(answered[201], JSON.stringify(answered)).toBeGreaterThan(races / 20)
  await sandbox.advance('PT1H')

  const payments: Payment[] = []
  for (const id of ids) {
    const { body } = await sandbox.call<Payment[]>('GET', `/api/v1/payments?invoiceId=${id}&limit=100`)
    payments.push(...body.data)
  }
  for (const [receiptId, cents] of receipts) {
    const parts = payments.filter(payment => payment.receiptId === receiptId)
    expect(
      parts.reduce((sum, part) => sum + part.amountCents, 0),
      receiptId,
    ).toBe(cents)
    expect(new Set(parts.map(({ invoiceId }) => invoiceId)).size).toBe(parts.length)
  }
  expect(new Set(payments.flatMap(({ receiptId }) => receiptId ?? []))).toEqual(new Set(receipts.keys()))
  const ledger = await installation.sql<{ invoice_id: string; bank: string; entries: string }>(
    `select invoice_id, sum(amount_cents) filter (where account = 'bank') as bank, count(distinct entry_id) as entries
       from postings where tenant_id = $1 group by 1`,
    [sandbox.tenantId],
  )
  for (const id of ids) {
    const { isPaid, isPartial, bankCents, entries, ...sums } = expectedOf(
      payments.filter(({ invoiceId }) => invoiceId === id),
    )
    const invoice = await sandbox.done<Invoice>('GET', `/api/v1/invoices/${id}`)
    expect(invoice, id).toMatchObject(sums)
    expect([invoice.status === 'paid', invoice.status === 'partial'], id).toEqual([isPaid, isPartial])
    const workflow = await sandbox.workflow(id)
    expect(workflow.status === 'completed', `${id} ${workflow.status}`).toBe(isPaid)
    const posted = ledger.find(({ invoice_id }) => invoice_id === id)
    expect([Number(posted?.bank ?? 0), Number(posted?.entries ?? 0)], id).toEqual([bankCents, entries])
  }
  for (const { promise, broken } of await checkInvariants(text => installation.sql(text)))
    expect(broken, promise).toEqual([])
}, 600_000)
