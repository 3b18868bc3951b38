import type { Message } from '../../../adapters/channel.ts'
import { evidenceOf, forAnswers, judgeContact } from '../../../domain/contact/contact-rules.ts'
import { closingNotice, isAnswer, isImmediate } from '../../../domain/recovery/cascade.ts'
import type { Fate } from '../../../domain/recovery/motion.ts'
import { HOUR } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import {
  contactFile,
  type DebtorFile,
  holdOn,
  lockAgenda,
  openFile,
  refreshAgenda,
} from '../case/debtor-file.ts'
import type { Channels } from './channels.ts'
import { codeOf, keepCode, linkOf } from './code.ts'
import { type Communication, fateOf, forgetPending, lapsing, readCommunication } from './communication.ts'
import { type Content, readContent } from './read-content.ts'
import type { Worker } from './worker.ts'
import { writeMessage } from './write-message.ts'

/** A message in our hands: nobody else may send it until the lease is over. */
export interface Claim {
  tenantId: string
  debtorId: string
  communicationId: string
  token: string
  channels: Channels
  message: Message
}

/** It was given to a provider that can be asked what became of it. `isLate`: it was asked long enough. */
export interface Question extends Claim {
  isQuestion: true
  /** It left so short a while ago that a provider may not know it yet. */
  isEarly: boolean
  isLate: boolean
}

/** `unfinished`: settled, but its sender died before all it serves had moved on. */
export type Claimed = Claim | Question | 'nothing_to_do' | 'fate_unknown' | { unfinished: Fate }

/** A provider's list may lag behind what it did: that it never saw a message is believed five minutes after the fence. */
const believedAfterLeases = 5

/** After as long a provider that does not answer what became of a message is not waited for any more. */
const askingMostMs = 2 * HOUR

const take = sql(
  'messages.claim',
  `update communications set state = 'sending', token = $2, lease_until = $3, provider = $4, committing_at = null, verdict = $5
    where id = $1`,
)

// Whether it left is open: only the token and the lease are new.
const takeToAsk = sql(
  'messages.claim-for-lookup',
  'update communications set token = $2, lease_until = $3, looked_up_at = $4 where id = $1',
)
// What is paid beyond the principal goes there first, so the last claim counts.
const keepClaimed = sql(
  'messages.save-claimed-sums',
  `update invoices i set claimed_cents = x.cents
     from jsonb_to_recordset($1::jsonb) as x("invoiceId" uuid, cents bigint) where i.id = x."invoiceId"`,
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
  return transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...openFile(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [readContent, [communicationId, debtorId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [[agenda], [file], [communication], [content]] = first
      if (!agenda || !file || !communication || !content) return 'nothing_to_do'
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : communication.reserved_at
      const channels = worker.channelsFor({ id: tenantId, environment: file.environment })
      const adapter = channels[communication.channel]
      const written = (at: number) => {
        const code = communication.code ?? codeOf(worker, communicationId)
        const { mailFrom, collector } = worker
        const link = linkOf(worker.publicUrl, code)
        const world = { mailFrom, collector, now: at, code, link }
        const { message, claimed } = writeMessage(communication, file, content, world)
        const token = worker.newId()
        return { taken: { tenantId, debtorId, communicationId, token, channels, message }, claimed }
      }
      if (communication.state === 'sending') {
        // What passed the fence late in its lease is answered, or given up, within one more: nobody asks for it before.
        const underWayUntil = (communication.committing_at ?? 0) + worker.leaseMs
        if (Math.max(communication.lease_until!, underWayUntil) > wall) return 'nothing_to_do'
        const isSameProvider = communication.provider === adapter?.name
        const mayHaveLeft = communication.committing_at !== null || adapter?.reentry === 'idempotent'
        // Another provider knows nothing of it: asked, it would deny it; given it again, it would send a second one.
        if (mayHaveLeft && !isSameProvider) return 'fate_unknown'
        if (communication.committing_at !== null) {
          if (adapter?.lookup && isAskable(communication, file, content)) {
            const { taken: asked } = written(communication.reserved_at)
            tx.atCommit(takeToAsk, [communicationId, asked.token, iso(wall + worker.leaseMs), iso(wall)])
            return {
              ...asked,
              isQuestion: true,
              isEarly: wall - communication.committing_at < believedAfterLeases * worker.leaseMs,
              isLate: now - communication.reserved_at > askingMostMs,
            }
          }
          if (adapter?.reentry !== 'idempotent') return 'fate_unknown'
        }
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
      const { taken, claimed } = written(now)
      const verdict = JSON.stringify(evidenceOf(rules, communication.channel, now))
      tx.atCommit(take, [communicationId, taken.token, iso(wall + worker.leaseMs), adapter.name, verdict])
      keepCode(tx, taken.message.code, { tenantId, communicationId, debtorId }, wall)
      if (claimed.length > 0) tx.atCommit(keepClaimed, [JSON.stringify(claimed)])
      return taken
    },
  )
}

/** Asked with another address a provider would deny what it sent to the old one; and of an answer no address is kept. */
const isAskable = (communication: Communication, file: DebtorFile, content: Content): boolean =>
  content.invoices.length > 0 && !isAnswer(communication.step) && holdsEvery(communication, file)

function holdsEvery(communication: Communication, file: DebtorFile): boolean {
  const held = new Set(communication.points.map(point => point.toString('hex')))
  return file.points.every(point => held.has(point.toString('hex')))
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
      const [, [communication]] = first
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
  if (isAnswer(communication.step)) return isImmediate(communication.step) ? null : closedNow(rules, now)
  const hold = communication.step === closingNotice ? null : holdOn(file)
  if (hold) return hold
  if (!holdsEvery(communication, file)) return 'address_changed'
  const verdict = judgeContact(rules, communication.channel, now)
  return verdict.allowed ? null : verdict.because
}

/** An answer is bound by hours and days alone. */
function closedNow(rules: ReturnType<typeof contactFile>, now: number): string | null {
  const verdict = judgeContact(forAnswers(rules), 'email', now)
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
