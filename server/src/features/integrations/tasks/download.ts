import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../../kit/db/statement.ts'
import { type Entry, isDatabaseFault, sqlState, type Tx, transact } from '../../../kit/db/transaction.ts'
import { attachmentHeaders } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { fileLinkDead } from './errors.ts'
import { fileEndsAt, readToken } from './file-link.ts'
import { readNextPart } from './files.ts'
import { works } from './kinds.ts'
import { findTask } from './store.ts'
import { mayMakerStill } from './task-maker.ts'

/** The longest a download may take. A client that reads nothing for a while is disconnected long before. */
const downloadMaxMs = 3_600_000
const idleMaxMs = 60_000

const enterByLink = sql('task-files.enter-by-link', 'select enter_by_task_link($1) as offset_ms').as<{
  offset_ms: number
}>()
const entryOf = (tenantId: string): Entry => ({ statement: enterByLink, values: [tenantId] })

/** Each part is read in its own transaction: no connection is held while the client reads. */
async function* partsOf(read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>, fileId: string) {
  let after = -1
  for (;;) {
    const next = await withRetries(isDatabaseFault, () => read(tx => readNextPart(tx, fileId, after)))
    if (!next) return
    yield next.bytes
    after = next.part
  }
}

const isDead = (error: unknown) => ['RL001', 'RL002'].includes(sqlState(error))

/** Serves the file of a finished task. The link alone gives access to it, as long as the maker may still have it. */
export function addTaskFiles(app: FastifyInstance, { pool, clock, keyring }: PageContext): void {
  app.route({
    method: 'GET',
    url: '/files/:token',
    // Answering HEAD would require building the file.
    exposeHeadRoute: false,
    handlerTimeout: downloadMaxMs,
    config: { isDownload: true },
    async handler(request, reply) {
      const wall = clock.wall()
      const linked = readToken(keyring, (request.params as { token: string }).token, wall)
      if (!linked) throw fileLinkDead.make()
      const read = <T>(work: (tx: Tx) => Promise<T>) =>
        transact(pool, entryOf(linked.tenantId), [], ({ tx }) => work(tx))
      const task = await read(async tx => {
        const found = await findTask(tx, linked.taskId)
        return found && (await mayMakerStill(tx, found, wall)) ? found : null
      }).catch(error => {
        throw isDead(error) ? fileLinkDead.make() : error
      })
      if (!task || fileEndsAt(task, wall) === null) throw fileLinkDead.make()
      const { name, type, bytesOf } = works[task.kind].fileOf!(task)
      request.raw.socket.setTimeout(idleMaxMs)
      return reply
        .headers(attachmentHeaders(type, name))
        .send(Readable.from(bytesOf(partsOf(read, task.file_id!)), { objectMode: false }))
    },
  })
}
