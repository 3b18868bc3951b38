import type { Message } from '../../adapters/channel.ts'
import { closingNotice } from '../../domain/cascade.ts'
import { evidenceOf, judgeContact } from '../../domain/contact-rules.ts'
import type { Fate } from '../../domain/motion.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../kit/db/transaction.ts'
import {
  type AgendaLock,
  contactFile,
  type DebtorFile,
  lockAgenda,
  openFile,
  refreshAgenda,
} from '../agenda/debtor-file.ts'
import { holdOn } from '../agenda/move-on.ts'
import type { Worker } from '../agenda/worker.ts'
import type { Channels } from './channels.ts'
import { type Communication, fateOf, forgetPending, lapsing, readCommunication } from './communication.ts'
import { type Content, readContent, writeMessage } from './write-message.ts'

/** A message in our hands: nobody else may send it until the lease is over. */
export interface Claim {
  tenantId: string
  debtorId: string
  communicationId: string
  token: string
  channels: Channels
  message: Message
}

/** `unfinished`: settled, but its sender died before all it serves had moved on. */
export type Claimed = Claim | 'nothing_to_do' | 'fate_unknown' | { unfinished: Fate }

const take = sql(
  `update communications set state = 'sending', token = $2, lease_until = $3, provider = $4, committing_at = null, verdict = $5
    where id = $1`,
)

/**
 * Takes a reserved message, judged once more at this very moment with the address and balance of this very moment.
 * One that was being sent when its sender died is taken again only where that is provably harmless.
 */
export async function claim(
  worker: Worker,
  tenantId: string,
  debtorId: string,
  communicationId: string,
): Promise<Claimed> {
  return transact<Claimed>(
    worker.pool,
    asWorker(tenantId),
    [
      ...openFile(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [readContent, [communicationId, debtorId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [[agenda], [file], [communication], [content]] = first as [
        AgendaLock[],
        DebtorFile[],
        Communication[],
        Content[],
      ]
      if (!agenda || !file || !communication || !content) return 'nothing_to_do'
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : communication.reserved_at
      const channels = worker.channelsFor({ id: tenantId, environment: file.environment })
      const adapter = channels[communication.channel]
      if (communication.state === 'sending') {
        if (communication.lease_until! > wall) return 'nothing_to_do'
        if (communication.committing_at !== null && adapter?.reentry !== 'idempotent') return 'fate_unknown'
      } else if (communication.state !== 'reserved') {
        const fate = fateOf(communication)
        return fate ? { unfinished: fate } : 'nothing_to_do'
      }
      const rules = contactFile(file, agenda, communicationId)
      const obstacle = adapter ? obstacleTo(communication, file, content, rules, now) : 'no_provider'
      if (obstacle || !adapter) {
        // An idempotent provider may hold the first copy already; past its hour we cannot ask again, so it counts.
        if (communication.state === 'sending' && adapter?.reentry === 'idempotent') return 'fate_unknown'
        lapse(tx, tenantId, communication, obstacle ?? 'no_provider', now, offsetMs)
        return 'nothing_to_do'
      }
      const token = worker.newId()
      const verdict = JSON.stringify(evidenceOf(rules, communication.channel, now))
      tx.atCommit(take, [communicationId, token, iso(wall + worker.leaseMs), adapter.name, verdict])
      const message = writeMessage(communication, file, content, { mailFrom: worker.mailFrom, now })
      return { tenantId, debtorId, communicationId, token, channels, message }
    },
  )
}

/** Nothing left, through a fault of ours: the slot and the step are free again, and no attempt is used up. */
export async function giveBack(
  worker: Worker,
  { tenantId, debtorId, communicationId, token }: Claim,
  because: string,
): Promise<void> {
  await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockAgenda, [tenantId, debtorId]],
      [readCommunication, [communicationId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [, [communication]] = first as [unknown, Communication[]]
      if (communication?.state === 'sending' && communication.token === token)
        lapse(tx, tenantId, communication, because, worker.clock.wall() + offsetMs, offsetMs)
    },
  )
}

function obstacleTo(
  communication: Communication,
  file: DebtorFile,
  content: Content,
  rules: ReturnType<typeof contactFile>,
  now: number,
): string | null {
  if (content.invoices.length === 0) return 'nothing_to_say'
  if (communication.is_stopped) return 'stopped'
  if (now > communication.not_after) return 'too_late'
  if (file.closed.some(shut => shut.channel === communication.channel)) return 'channel_closed'
  const hold = communication.step === closingNotice ? null : holdOn(file)
  if (hold) return hold
  const held = new Set(communication.points.map(point => point.toString('hex')))
  if (!file.points.every(point => held.has(point.toString('hex')))) return 'address_changed'
  const verdict = judgeContact(rules, communication.channel, now)
  return verdict.allowed ? null : verdict.because
}

function lapse(
  tx: Tx,
  tenantId: string,
  communication: Communication,
  because: string,
  now: number,
  offsetMs: number,
): void {
  for (const [statement, values] of lapsing(communication.id, communication.debtor_id, because, iso(now)))
    tx.atCommit(statement, values)
  tx.atCommit(forgetPending, [tenantId, communication.id])
  tx.atCommit(refreshAgenda, [tenantId, communication.debtor_id, offsetMs])
}
