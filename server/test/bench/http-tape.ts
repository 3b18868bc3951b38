import { randomUUIDv7 } from 'node:crypto'
import { keyAuthentication } from '../../src/features/access/api-keys/authenticate.ts'
import { createInvoice } from '../../src/features/receivables/invoices/create-invoice.ts'
import { getInvoice } from '../../src/features/receivables/invoices/get-invoice.ts'
import { InvoiceInput } from '../../src/features/receivables/invoices/schema.ts'
import { keyring } from '../../src/kit/crypto.ts'
import type { Pool } from '../../src/kit/db/pool.ts'
import { reader } from '../../src/kit/db/reader.ts'
import { transact } from '../../src/kit/db/transaction.ts'
import { recording, type Tape } from './tape.ts'

/** Stands where each request's own number goes; each process that records leaves one invoice of this number behind. */
export const serialMark = String(90_000_000_000 + process.pid)

/** An invoice of a debtor nobody knows yet. */
export const invoiceBody = (serial: string): string =>
  JSON.stringify({
    invoiceNumber: `B-${serial}`,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: {
      name: `Durand ${serial} SARL`,
      email: `compta${serial}@durand.example`,
      postalCode: '69002',
      city: 'Lyon',
    },
  })

async function callerOf(pool: Pool, ring: string, apiKey: string) {
  const wall = Date.now()
  const keys = keyring(ring)
  const { authenticate } = keyAuthentication(pool, keys, { record() {}, forget() {} })
  const { actor, entry } = await authenticate(apiKey, '127.0.0.1', wall)
  return {
    entry: entry(wall),
    call: { actor, wall, requestId: randomUUIDv7(), keyring: keys, query: undefined },
  }
}

type Caller = Awaited<ReturnType<typeof callerOf>>

/** Runs the product's create for the marked invoice and answers the ids it made. */
async function create(pool: Pool, { entry, call }: Caller) {
  const all: string[] = []
  const newId = () => all[all.push(randomUUIDv7()) - 1]!
  const body = InvoiceInput.parse(JSON.parse(invoiceBody(serialMark)))
  const [answer] = await transact(pool, entry, [], ({ tx, offsetMs }) =>
    createInvoice.runMany!({ ...call, now: call.wall + offsetMs, newId, tx }, [
      { body, requestId: call.requestId },
    ]),
  )
  const created = answer as { id: string; debtor: { id: string } }
  return { invoiceId: created.id, debtorId: created.debtor.id, all }
}

export const createSample = async (pool: Pool, ring: string, apiKey: string) =>
  create(pool, await callerOf(pool, ring, apiKey))

export interface HttpTapes {
  read: Tape
  create: Tape
  ids: Awaited<ReturnType<typeof create>>
  /** The key of the advisory lock on the debtor's identity. */
  lockMark: string
}

/** Lets the product read one invoice and create another, and notes what it asks of the database. */
export async function recordHttp(
  pool: Pool,
  options: { keyring: string; apiKey: string; invoiceId: string },
): Promise<HttpTapes> {
  const caller = await callerOf(pool, options.keyring, options.apiKey)
  const reading = recording(pool)
  await getInvoice.run!({
    ...caller.call,
    now: caller.call.wall,
    newId: randomUUIDv7,
    tx: reader(reading.pool, caller.entry),
    publicUrl: '',
    params: { id: options.invoiceId },
    query: {},
    body: undefined,
  })
  const writing = recording(pool)
  const ids = await create(writing.pool, caller)
  const locking = writing.tape.flat(2).find(({ text }) => text.includes('pg_advisory_xact_lock'))
  const [lockMark] = locking!.values![0] as [string]
  return { read: reading.tape, create: writing.tape, ids, lockMark }
}
