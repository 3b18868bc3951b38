import { adHoc, sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { lowestId } from '../../../../kit/uuid.ts'
import type { ZipEntry } from '../../../../kit/zip.ts'
import { openWritten } from '../../../recovery/case/written-text.ts'
import { openAnswer } from '../../../recovery/holds/reply-answers.ts'
import { openContent } from '../../../recovery/holds/reply-content.ts'
import { withoutCodes } from '../../../recovery/messages/compose/message-code.ts'
import type { TaskContext } from '../task-context.ts'
import { copyTexts } from './copy-texts.ts'
import { drawCopy } from './draw-copy.ts'
import { readSearchTerms } from './needles.ts'
import { personalTables, type TableRule } from './personal-data.ts'
import { readCopy } from './read-copy.ts'

const pageSize = 200

/** Columns that are of no use to the person: our own keys, search keys, digests, and the codes of links that open their page. */
const unspoken = [
  'tenant_id',
  'name_key',
  'email_key',
  'search_text',
  'search_grams',
  'number_search',
  'number_grams',
  'code',
  'letter_code',
  'token',
  'pdf',
  'sha256',
  'document_sha256',
  'recipient_point',
  'hash',
  'chain_head',
]
/** The salt is only used to check digests. */
const leftOut = ['contact_salts']

const findInvoices = sql(
  'access.find-invoices',
  'select id from invoices where debtor_id = $1 and id > $2 order by id limit $3',
)
const findCommunications = sql(
  'access.find-communications',
  'select id from communications where debtor_id = $1 and id > $2 order by id limit $3',
)
const findDocuments = sql(
  'access.find-documents',
  'select a.id, i.number from anr_documents a join invoices i on i.id = a.invoice_id where i.debtor_id = $1 order by a.id',
)
const readDocument = sql('access.read-document', 'select pdf from anr_documents where id = $1')
const readClosed = sql(
  'access.read-closed',
  `select distinct shut.channel, shut.because, shut.created_at
     from debtors d
    cross join lateral unnest(contact_points(d.tenant_id, d.id, d.email_key, d.phone)) as own(point)
    cross join lateral (select channel, because, created_at from closed_points where point = own.point offset 0) shut
    where d.id = $1 order by 1, 2`,
)
const readConversations = sql(
  'access.read-conversations',
  `select x.conversation_id, x.role, x.text, x.created_at, p.last
     from (select array_agg(id) as ids, (array_agg(id order by id desc))[1] as last
             from (select id from conversations where id > $1 order by id limit $2) c) p
     left join conversation_messages x on x.conversation_id = any (p.ids) and mentions(x.text, $3::text[], $4::text[])
    order by x.conversation_id, x.id`,
).as<{
  conversation_id: string | null
  role: string | null
  text: string | null
  created_at: number | null
  last: string | null
}>()

/** The files of the copy: each is read page by page while the zip is written. */
export async function gatherCopy(
  { pool, keyring }: Pick<TaskContext, 'pool' | 'keyring'>,
  tenantId: string,
  debtorId: string,
  now: number,
): Promise<ZipEntry[]> {
  const inTenant = <Result>(work: (tx: Parameters<typeof readSearchTerms>[0]) => Promise<Result>) =>
    transact(pool, asWorker(tenantId), [], ({ tx }) => work(tx))

  async function* idsOf(statement: typeof findInvoices | typeof findCommunications) {
    for (let after: string | undefined = lowestId; after !== undefined; ) {
      const from: string = after
      const rows = await inTenant(tx => tx.rows(statement, [debtorId, from, pageSize]))
      if (rows.length > 0) yield rows.map(({ id }) => id)
      after = rows.length < pageSize ? undefined : rows.at(-1)!.id
    }
  }
  async function* pagesOf(rows: NonNullable<TableRule['rows']>) {
    // A row that has both is found by its invoice.
    const isFoundTwice = rows.debtor && rows.invoice && rows.debtor !== rows.invoice
    if (rows.debtor)
      yield [rows.debtor, [debtorId], isFoundTwice ? `and x.${rows.invoice} is null` : ''] as const
    if (rows.invoice) for await (const ids of idsOf(findInvoices)) yield [rows.invoice, ids, ''] as const
    if (rows.communication)
      for await (const ids of idsOf(findCommunications)) yield [rows.communication, ids, ''] as const
  }
  /** The text of a reply, while it is kept, and of what a person wrote and has not left yet. */
  const opened = (row: Record<string, unknown>) => {
    const { content_sealed: content, answer_sealed: answer, written_sealed: written, ...rest } = row
    const replyId = String(row.id)
    return {
      ...rest,
      ...(typeof content === 'string' && { content: openContent(keyring, { tenantId, replyId }, content) }),
      ...(typeof answer === 'string' && { answer: openAnswer(keyring, replyId, answer) }),
      ...(typeof written === 'string' && { written: openWritten(keyring, String(row.id), written) }),
    }
  }
  async function* rowsOf(table: string, rows: NonNullable<TableRule['rows']>) {
    const read = (column: string, more: string) =>
      adHoc<{ row: Record<string, unknown> }>(
        `select to_jsonb(x) - $2::text[] as row from ${table} x where x.${column} = any ($1::uuid[]) ${more}`,
      )
    for await (const [column, ids, more] of pagesOf(rows))
      yield (await inTenant(tx => tx.rows(read(column, more), [ids, unspoken]))).map(({ row }) => opened(row))
  }
  async function* conversations() {
    const { texts, words, digits } = await inTenant(tx => readSearchTerms(tx, tenantId, [debtorId]))
    for (let after: string | null = lowestId; after !== null; ) {
      const from: string = after
      const rows = await inTenant(tx =>
        tx.rows(readConversations, [from, pageSize, [...texts, ...words], digits]),
      )
      yield rows.flatMap(({ last, ...message }) => (message.text === null ? [] : [message]))
      after = rows[0]?.last ?? null
    }
  }
  const tables = Object.entries(personalTables).flatMap(([table, { rows }]) =>
    rows === undefined || leftOut.includes(table) ? [] : [[table, rows] as const],
  )
  const documents = await inTenant(tx => tx.rows(findDocuments, [debtorId]))
  const copy = await transact(pool, asWorker(tenantId), [], ({ tx, offsetMs }) =>
    readCopy(tx, { tenantId, debtorId }, keyring, now + offsetMs),
  )
  return [
    ...(copy === null
      ? []
      : [{ name: copyTexts[copy.language].fileName, content: () => once(drawCopy(copy, now)) }]),
    ...tables.map(([table, rows]) => ({ name: `${table}.json`, content: () => asJson(rowsOf(table, rows)) })),
    {
      name: 'closed_channels.json',
      content: () => asJson(pageOf(() => inTenant(tx => tx.rows(readClosed, [debtorId])))),
    },
    { name: 'conversations.json', content: () => asJson(conversations()) },
    ...documents.map(({ id, number }) => ({
      name: `documents/${number.replace(/[^\w.-]+/g, '_')}-${id}.pdf`,
      content: async function* () {
        yield (await inTenant(tx => tx.rows(readDocument, [id])))[0]?.pdf ?? Buffer.alloc(0)
      },
    })),
  ]
}

async function* once(bytes: Promise<Buffer>) {
  yield await bytes
}

async function* pageOf(read: () => Promise<readonly unknown[]>) {
  yield await read()
}

/** One JSON array, a line for each row. Links in texts are without their codes, as the tables are. */
async function* asJson(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const rows of pages)
    for (const row of rows) {
      yield Buffer.from(`${isFirst ? '[' : ','}\n${withoutCodes(JSON.stringify(row))}`)
      isFirst = false
    }
  yield Buffer.from(isFirst ? '[]\n' : '\n]\n')
}
