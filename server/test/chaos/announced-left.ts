import { DAY } from '../../src/domain/time.ts'
import { iso } from '../../src/kit/clock.ts'
import type { PageLink } from './announced-notes.ts'
import type { ProvedCompany } from './announced-portfolio.ts'

/** A message that left, or was tried. */
export interface LeftMessage {
  id: string
  debtorId: string
  channel: string
  step: string
  state: string
  at: number
  lead: string
  invoiceIds: string[]
}

interface ListedCommunication {
  id: string
  debtor: { id: string }
  channel: string
  step: string
  state: string
  at: string
  invoice: { id: string } | null
  invoiceCount: number
}

const answers: readonly string[] = [
  'payment_receipt',
  'promise_confirmed',
  'dispute_received',
  'dispute_resolved',
  'situation_checked',
  'reply_answered',
]
/** An answer to what the debtor did is no reminder: nobody announces it. */
export const isAnswer = ({ step }: LeftMessage): boolean => answers.includes(step)

/** The sandbox takes every message, but for its test recipients: their outcome is a fact of that moment. */
export const isTaken = ({ state }: LeftMessage): boolean => state === 'sent' || state === 'delivered'

/** What left between two moments, by the API; the links of emails are noted for their debtors. */
export async function readWhatLeft(
  { client, debtorOf }: ProvedCompany,
  from: number,
  until: number,
  links: Map<string, PageLink>,
): Promise<LeftMessage[]> {
  const listed: ListedCommunication[] = []
  for (let begin = from; begin < until; begin += DAY)
    listed.push(
      ...(await client.all<ListedCommunication>(
        `/communications?sentFrom=${iso(begin)}&sentTo=${iso(Math.min(until, begin + DAY))}`,
      )),
    )
  const left: LeftMessage[] = []
  for (const { id, debtor, invoice, invoiceCount, at, ...rest } of listed) {
    const isEmail = rest.channel === 'email' && (rest.state === 'sent' || rest.state === 'delivered')
    const needsDetail = invoiceCount > 1
    const invoiceIds = needsDetail
      ? (await client.done<{ invoices: { id: string }[] }>('GET', `/communications/${id}`)).invoices.map(
          named => named.id,
        )
      : [invoice!.id]
    left.push({ id, debtorId: debtor.id, at: Date.parse(at), lead: invoice!.id, invoiceIds, ...rest })
    if (isEmail) links.delete(debtor.id)
  }
  await readLinks({ client, debtorOf }, from, links)
  return left
}

/** From the newest email to the first that is older than `from`. */
async function readLinks(
  { client, debtorOf }: Pick<ProvedCompany, 'client' | 'debtorOf'>,
  from: number,
  links: Map<string, PageLink>,
): Promise<void> {
  for (let page = 1; ; page++) {
    const { data } = await client.ask<{ body: string; createdAt: string; invoiceIds: string[] }[]>(
      'GET',
      `/sandbox/messages?channel=email&limit=100&page=${page}`,
    )
    for (const { body, invoiceIds } of data) {
      const [, code] = /\/d\/([a-z0-9]{2}[\w-]{18})/.exec(body) ?? []
      const debtor = debtorOf.get(invoiceIds[0] ?? '')
      if (code && debtor && !links.has(debtor.id)) links.set(debtor.id, { code, invoiceIds })
    }
    if (data.length < 100 || data.some(({ createdAt }) => Date.parse(createdAt) < from)) return
  }
}
