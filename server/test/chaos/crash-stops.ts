import type { ReceivedMail } from '../../dev/mailbox.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { CustomerAction } from './customer-actions.ts'
import type { Findings } from './findings.ts'

/** From when to when nothing may leave for an invoice. */
interface Stop {
  number: string
  from: number
  until: number
  /** Messages that the answer named as being sent already. */
  named: readonly string[]
}

const stopKinds = ['pause', 'cancel', 'rest']

export function stopsOf({ number, actions }: { number: string; actions: readonly CustomerAction[] }): Stop[] {
  return actions.flatMap((action, i) => {
    if (action.answeredAt === null || !stopKinds.includes(action.kind)) return []
    const resumed = actions.slice(i + 1).find(later => later.kind === 'resume')
    return [
      {
        number,
        from: action.answeredAt,
        until: resumed?.askedAt ?? Number.POSITIVE_INFINITY,
        named: (action.data?.inFlight ?? []).map(message => message.communicationId),
      },
    ]
  })
}

/** An invoice that is only listed as "also open" is not the subject of the message. */
export const speaksOf = (mail: ReceivedMail, number: string) =>
  `${mail.subject}\n${mail.text.split('Pour information,')[0]}`.includes(number)

interface Fenced {
  id: string
  claimed_at: Date | null
  committing_at: Date | null
  numbers: string[]
}

/** A message named as being sent may still arrive; no message may be claimed, or pass its fence, after the stop. */
export async function judgeStops(
  findings: Findings,
  installation: ChaosInstallation,
  stops: readonly Stop[],
  leaseMs: number,
): Promise<void> {
  const rows = await installation.query<Fenced>(
    `select c.id, c.lease_until - $1::float8 * interval '1 millisecond' as claimed_at, c.committing_at,
            array(select i.number from communication_invoices l join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
                   where l.tenant_id = c.tenant_id and l.communication_id = c.id) as numbers
       from communications c`,
    [leaseMs],
  )
  const claimedAt = new Map(rows.map(row => [row.id, row.claimed_at?.getTime() ?? 0]))
  const mails = installation.mailbox.messages().map(mail => ({
    mail,
    at: Date.parse(mail.receivedAt),
    id: mail.communicationId ?? '',
  }))
  const after = stops.flatMap(stop =>
    mails
      .filter(({ mail, at }) => at > stop.from && at < stop.until && speaksOf(mail, stop.number))
      .map(({ at, id }) => ({ ...stop, id, lateMs: at - stop.from, claimedAt: claimedAt.get(id) ?? 0 })),
  )
  findings.figure('stops', {
    all: stops.length,
    answeredWithMessagesOnTheirWay: stops.filter(stop => stop.named.length > 0).length,
    arrivedAfterwards: after.length,
  })
  const unnamed = after.filter(late => !late.named.includes(late.id))
  findings.check(
    'no message left after a stop or a payment in full was answered, but for those it named',
    unnamed.length === 0,
    unnamed,
  )
  const fencedLater = stops.flatMap(stop =>
    rows.filter(({ numbers, committing_at }) => {
      const at = committing_at?.getTime() ?? 0
      return numbers.includes(stop.number) && at > stop.from && at < stop.until
    }),
  )
  findings.check('no message passed its fence after the answer', fencedLater.length === 0, fencedLater)
  const claimedLater = after.filter(late => late.claimedAt > late.from)
  findings.check(
    'no message was claimed after its invoice was stopped or paid',
    claimedLater.length === 0,
    claimedLater,
  )
}
