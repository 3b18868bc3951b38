import type { EmailMessage } from '../../adapters/channel.ts'
import { judgeContact } from '../../domain/contact-rules.ts'
import { iso } from '../../kit/clock.ts'
import type { Tables } from '../../kit/db/schema.generated.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../kit/db/transaction.ts'
import {
  contactFile,
  type DebtorFile,
  lockAgenda,
  type OpenStep,
  openFile,
  readServed,
  refreshAgenda,
} from '../agenda/debtor-file.ts'
import type { Worker } from '../agenda/worker.ts'
import type { Channels } from './channels.ts'
import { textOf } from './texts/texts.ts'

export type Communication = Pick<
  Tables['communications'],
  'id' | 'debtor_id' | 'channel' | 'step' | 'state' | 'token' | 'lease_until' | 'committing_at' | 'not_after'
> & { points: Buffer[] }

/** A message in our hands: nobody else may send it until the lease is over. */
export interface Claim {
  tenantId: string
  debtorId: string
  communicationId: string
  token: string
  channels: Channels
  message: EmailMessage
}

export type Claimed = Claim | 'nothing_to_do' | 'fate_unknown'

export const readCommunication = sql<Communication>(
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.token, c.lease_until, c.committing_at, c.not_after,
          array(select point from contact_slots s where s.communication_id = c.id) as points
     from communications c where c.id = $1`,
)
const take = sql(
  `update communications set state = 'sending', token = $2, lease_until = $3, provider = $4, committing_at = null where id = $1`,
)

// A reservation that came too late gives everything back: the slot, the step, and the debtor is looked at again.
const lapseMessage = sql(
  `update communications set state = 'lapsed', reason = $2, settled_at = $3 where id = $1`,
)
export const freeSlots = sql('delete from contact_slots where communication_id = $1')
const freeSteps = sql(
  'update recoveries set communication_id = null where debtor_id = $2 and communication_id = $1',
)
export const forgetPending = sql('delete from pending_sends where tenant_id = $1 and communication_id = $2')

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
      [readServed, [communicationId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [, [file], [communication], served] = first as [
        unknown,
        DebtorFile[],
        Communication[],
        OpenStep[],
      ]
      if (!file || !communication) return 'nothing_to_do'
      const wall = worker.clock.wall()
      const now = wall + offsetMs
      const channels = worker.channelsFor({ id: tenantId, environment: file.environment })
      const adapter = channels.email
      if (communication.state === 'sending') {
        if (communication.lease_until! > wall) return 'nothing_to_do'
        if (communication.committing_at !== null && adapter.reentry !== 'idempotent') return 'fate_unknown'
      } else if (communication.state !== 'reserved') return 'nothing_to_do'
      const invoice = served[0]
      const obstacle = obstacleTo(communication, file, invoice, now)
      if (obstacle || !invoice) {
        // An idempotent provider may hold the first copy already; past its hour we cannot ask again, so it counts.
        if (communication.state === 'sending' && adapter.reentry === 'idempotent') return 'fate_unknown'
        lapse(tx, tenantId, communication, obstacle ?? 'nothing_to_say', now, offsetMs)
        return 'nothing_to_do'
      }
      const token = worker.newId()
      tx.atCommit(take, [communicationId, token, iso(wall + worker.leaseMs), adapter.name])
      return {
        tenantId,
        debtorId,
        communicationId,
        token,
        channels,
        message: write(worker, communication, file, invoice),
      }
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
  invoice: OpenStep | undefined,
  now: number,
): string | null {
  if (!invoice) return 'nothing_to_say'
  if (now > communication.not_after) return 'too_late'
  const held = new Set(communication.points.map(point => point.toString('hex')))
  if (!file.points.every(point => held.has(point.toString('hex')))) return 'address_changed'
  const verdict = judgeContact(contactFile(file, communication.id), communication.channel as 'email', now)
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
  tx.atCommit(lapseMessage, [communication.id, because, iso(now)])
  tx.atCommit(freeSlots, [communication.id])
  tx.atCommit(freeSteps, [communication.id, communication.debtor_id])
  tx.atCommit(forgetPending, [tenantId, communication.id])
  tx.atCommit(refreshAgenda, [tenantId, communication.debtor_id, offsetMs])
}

function write(
  worker: Worker,
  communication: Communication,
  file: DebtorFile,
  invoice: OpenStep,
): EmailMessage {
  const words = textOf(communication.step)
  if (!words) throw new Error(`no words for step ${communication.step}`)
  const { subject, body } = words(file.language, {
    creditor: { name: file.company_name, replyEmail: file.reply_email },
    debtor: { name: file.name },
    invoice: {
      number: invoice.number,
      issueDate: invoice.issue_date,
      dueDate: invoice.due_date,
      balanceCents: invoice.amount_cents - invoice.credited_cents - invoice.paid_cents,
      currency: invoice.currency,
    },
  })
  return {
    communicationId: communication.id,
    from: { name: `${file.company_name} via Relance`, address: worker.mailFrom },
    replyTo: { name: file.company_name, address: file.reply_email },
    to: { name: file.name, address: file.email },
    subject,
    text: body,
    language: file.language,
  }
}
