import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createPool } from '../../src/kit/db/pool.ts'
import { recordHttp, serialMark } from './http-tape.ts'
import { player } from './tape.ts'

/**
 * The baseline for the API: node:http and the same prepared statements in the same pipelines, tenant setting included.
 * No framework, no look at the key, no limits, no validation, no request id, no metrics.
 */
const { API_DATABASE_URL, KEYRING, API_KEY, INVOICE_ID, API_POOL, PORT } = process.env as Record<
  string,
  string
>
const pool = createPool({
  url: API_DATABASE_URL!,
  role: 'relance-bench',
  max: Number(API_POOL),
  statementTimeoutMs: 2_000,
})
const tapes = await recordHttp(pool, { keyring: KEYRING!, apiKey: API_KEY!, invoiceId: INVOICE_ID! })
const read = player(pool, tapes.read, [INVOICE_ID!], [])
const create = player(pool, tapes.create, [serialMark, tapes.lockMark], tapes.ids.all)

const answer = (response: ServerResponse, status: number, data: unknown) => {
  const body = JSON.stringify({ success: true, data })
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}

async function readOne(url: string, response: ServerResponse): Promise<void> {
  const [, , found] = await read({ [INVOICE_ID!]: url.slice('/api/v1/invoices/'.length) })
  answer(response, found!.rowCount === 1 ? 200 : 404, found!.rows[0])
}

async function createOne(text: string, response: ServerResponse): Promise<void> {
  const invoice = JSON.parse(text)
  const serial: string = invoice.invoiceNumber.slice(2)
  const lock = createHash('sha256').update(serial).digest().readBigInt64BE(0).toString()
  const fill = { [serialMark]: serial, [tapes.lockMark]: lock }
  await create(fill)
  const { invoiceNumber, amountCents } = invoice
  answer(response, 201, { id: fill[tapes.ids.invoiceId], invoiceNumber, amountCents, status: 'imported' })
}

createServer((request, response) => {
  const failed = (error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  }
  if (request.method === 'GET') {
    readOne(request.url!, response).catch(failed)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    createOne(Buffer.concat(chunks).toString(), response).catch(failed)
  })
}).listen(Number(PORT), '127.0.0.1')
