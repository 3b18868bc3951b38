import type { VoiceMessage } from '../../../adapters/channel.ts'
import { HOUR } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { stopReasonSql } from '../../access/companies/stops.ts'
import { type DebtorFile, selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { balanceColumn } from '../../recovery/case/invoice-facts.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { readCommunication } from '../../recovery/messages/communication-store.ts'
import { type CodeRow, selectCode } from '../../recovery/messages/compose/code-store.ts'
import { type ContentRow, selectContent } from '../../recovery/messages/compose/content-store.ts'
import { byCode, linkOf } from '../../recovery/messages/compose/message-code.ts'
import { writeMessage } from '../../recovery/messages/compose/write-message.ts'

export interface CallInvoice {
  id: string
  number: string
  currency: string
  balance_cents: number
  /** What was claimed for late payment and is not paid: the call names one sum, as everywhere. */
  accessories_cents: number
}

/** A call that is active now: debtor, creditor, invoices and prepared text. */
export interface LiveCall {
  code: string
  tenantId: string
  companyId: string
  environment: CodeRow['environment']
  communicationId: string
  debtorId: string
  file: DebtorFile
  content: ContentRow
  message: VoiceMessage
  /** Oldest first: a partial sum is used for the oldest. */
  invoices: CallInvoice[]
  beganAt: number
}

/** How many invoices one call can change; the history lists all. */
const callInvoicesMax = 100
/** A call is over one hour after its message was reserved. */
const lifetimeMs = HOUR
// The provider may report an answered call before its conversation reaches us.
const activeStates = ['sending', 'sent', 'unknown', 'delivered']

const readCallInvoices = sql(
  'calls.list-served-invoices',
  `select i.id, i.number, i.currency, ${balanceColumn} as balance_cents,
          i.claimed_cents - least(i.claimed_cents, greatest(0, -(${balanceColumn}))) as accessories_cents
     from communication_invoices l join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
    where l.communication_id = $1 order by i.due_date, i.id limit ${callInvoicesMax}`,
).as<CallInvoice>()
interface CallEnd {
  /** The provider has reported that the call is over, or that a machine answered. */
  is_over: boolean
  /** Sending was stopped: nothing more is said about the debt. */
  is_stopped: boolean
}
const readEnd = sql(
  'calls.get-end',
  `select coalesce((select ended_at is not null from calls where communication_id = $1), false) as is_over,
          ${stopReasonSql} is not null as is_stopped
     from tenants t where t.id = current_setting('relance.tenant')::uuid`,
).as<CallEnd>()

/** Null if there is no such call or it cannot be active. */
export async function readCall(pageContext: PageContext, code: string): Promise<LiveCall | null> {
  const wall = pageContext.clock.wall()
  const { rows } = await pageContext.pool.query<CodeRow>({
    name: selectCode.name,
    text: selectCode.text,
    values: [code, new Date(wall).toISOString()],
  })
  const [coded] = rows
  if (!coded) return null
  const { communication_id: communicationId, debtor_id: debtorId } = coded
  try {
    return await transact(
      pageContext.pool,
      byCode(code, wall),
      [
        [readCommunication, [communicationId]],
        [selectDebtorFile, [debtorId]],
        [selectContent, [communicationId, debtorId]],
        [readCallInvoices, [communicationId]],
        [readEnd, [communicationId]],
      ],
      async ({ openingRows, offsetMs }) => {
        const [[communication], [file], [content], invoices, [end]] = openingRows
        const now = wall + offsetMs
        if (!communication || !file || !content || invoices.length === 0) return null
        if (end!.is_over || end!.is_stopped) return null
        if (communication.channel !== 'voice' || !activeStates.includes(communication.state)) return null
        if (now - communication.reserved_at > lifetimeMs) return null
        const link = linkOf(pageContext.publicUrl, code)
        const context = { mailFrom: '', receivesReplies: false, now, code, link }
        const { message } = writeMessage(communication, file, content, context)
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
          invoices,
          beganAt: now,
        }
      },
    )
  } catch (error) {
    if (sqlState(error) === 'RL001') return null
    throw error
  }
}

/** Runs `work` in a transaction of the call's tenant, with the debtor as actor. */
export function inCallTransaction<T>(
  pageContext: PageContext,
  call: LiveCall,
  work: (context: OperationContext) => Promise<T>,
): Promise<T> {
  const wall = pageContext.clock.wall()
  return transact(pageContext.pool, byCode(call.code, wall), [], ({ tx, offsetMs }) =>
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
      newId: () => pageContext.newId(wall),
    }),
  )
}

/** Whether the call is over, or sending was stopped since it began. */
export const readCallEnd = (pageContext: PageContext, call: LiveCall): Promise<CallEnd> =>
  inCallTransaction(pageContext, call, async ({ tx }) => (await tx.rows(readEnd, [call.communicationId]))[0]!)
