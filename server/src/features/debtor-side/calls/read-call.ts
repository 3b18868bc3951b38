import type { VoiceMessage } from '../../../adapters/channel.ts'
import { HOUR } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { World } from '../../recovery/case/case.ts'
import { type DebtorFile, readFile } from '../../recovery/case/debtor-file.ts'
import { balanceColumn } from '../../recovery/case/invoice-facts.ts'
import { byCode, type Coded, linkOf, readCode } from '../../recovery/messages/code.ts'
import { readCommunication } from '../../recovery/messages/communication.ts'
import { type Content, readContent } from '../../recovery/messages/read-content.ts'
import { writeMessage } from '../../recovery/messages/write-message.ts'

export interface ServedInvoice {
  id: string
  number: string
  currency: string
  balance_cents: number
}

/** A call that may be spoken on now: who is called, for whom, about what, in which words. */
export interface LiveCall {
  code: string
  tenantId: string
  companyId: string
  environment: Coded['environment']
  communicationId: string
  debtorId: string
  file: DebtorFile
  content: Content
  message: VoiceMessage
  /** Oldest first: a sum that does not cover all pays these. */
  served: ServedInvoice[]
  beganAt: number
}

/** How many invoices a word on the telephone can change; the history names all. */
const servedMost = 100
/** Nobody is on the line an hour after the telephone rang. */
const lifetime = HOUR
// The provider may say that it was answered before the conversation reaches us.
const onTheLine = ['sending', 'sent', 'unknown', 'delivered']

const readServed = sql(
  'calls.list-served-invoices',
  `select i.id, i.number, i.currency, ${balanceColumn} as balance_cents
     from communication_invoices l join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
    where l.communication_id = $1 order by i.due_date, i.id limit ${servedMost}`,
).as<ServedInvoice>()
const readEnd = sql(
  'calls.get-end',
  'select ended_at is not null as is_over from calls where communication_id = $1',
).as<{ is_over: boolean }>()

/** Null: there is no such call, or nobody can be on it. */
export async function readCall(site: Site, code: string): Promise<LiveCall | null> {
  const wall = site.clock.wall()
  const { rows } = await site.pool.query<Coded>({
    name: readCode.name,
    text: readCode.text,
    values: [code, new Date(wall).toISOString()],
  })
  const [coded] = rows
  if (!coded) return null
  const { communication_id: communicationId, debtor_id: debtorId } = coded
  try {
    return await transact(
      site.pool,
      byCode(code, wall),
      [
        [readCommunication, [communicationId]],
        [readFile, [debtorId]],
        [readContent, [communicationId, debtorId]],
        [readServed, [communicationId]],
        [readEnd, [communicationId]],
      ],
      async ({ first, offsetMs }) => {
        const [[communication], [file], [content], served, [end]] = first
        const now = wall + offsetMs
        if (!communication || !file || !content || served.length === 0 || end?.is_over) return null
        if (communication.channel !== 'voice' || !onTheLine.includes(communication.state)) return null
        if (now - communication.reserved_at > lifetime) return null
        const link = linkOf(site.publicUrl, code)
        const world = { mailFrom: '', collector: null, now, code, link }
        const { message } = writeMessage(communication, file, content, world)
        return {
          code,
          tenantId: coded.tenant_id,
          companyId: coded.company_id,
          environment: coded.environment,
          communicationId,
          debtorId,
          file,
          content,
          message: message as VoiceMessage,
          served,
          beganAt: now,
        }
      },
    )
  } catch (error) {
    if (sqlState(error) === 'RL001') return null
    throw error
  }
}

/** Something is done in the tenant of a call, by whoever is on the line. */
export function onCall<T>(site: Site, call: LiveCall, work: (world: World) => Promise<T>): Promise<T> {
  const wall = site.clock.wall()
  return transact(site.pool, byCode(call.code, wall), [], ({ tx, offsetMs }) =>
    work({
      tx,
      actor: {
        kind: 'debtor',
        id: call.debtorId,
        tenantId: call.tenantId,
        companyId: call.companyId,
        environment: call.environment,
        scopes: [],
      },
      now: wall + offsetMs,
      wall,
      requestId: call.communicationId,
      newId: () => site.newId(wall),
    }),
  )
}

/** The provider said meanwhile that it is over, or that a machine answered. */
export const isOver = (site: Site, call: LiveCall): Promise<boolean> =>
  onCall(site, call, async ({ tx }) => (await tx.rows(readEnd, [call.communicationId]))[0]?.is_over ?? false)
