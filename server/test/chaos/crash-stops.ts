import type { ReceivedMail } from '../../dev/mailbox.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { CustomerAction } from './customer-actions.ts'
import type { Findings } from './findings.ts'

/** From when to when nothing may leave for an invoice. */
interface Stop {
  number: string
  from: number
  until: number
  /** Messages that the answer named as being sent already; answers to payments have no such list. */
  named: readonly string[] | null
}

const stopsWithAnswer = ['pause', 'cancel']

export function stopsOf({ number, actions }: { number: string; actions: readonly CustomerAction[] }): Stop[] {
  return actions.flatMap((action, i) => {
    const isNamed = stopsWithAnswer.includes(action.kind)
    if (action.answeredAt === null || !(isNamed || action.kind === 'rest')) return []
    const resumed = actions.slice(i + 1).find(later => later.kind === 'resume')
    return [
      {
        number,
        from: action.answeredAt,
        until: resumed?.askedAt ?? Number.POSITIVE_INFINITY,
        named: isNamed ? (action.data?.inFlight ?? []).map(message => message.communicationId) : null,
      },
    ]
  })
}

/** An invoice that is only listed as "also open" is not the subject of the message. */
export const speaksOf = (mail: ReceivedMail, number: string) =>
  `${mail.subject}\n${mail.text.split('Pour information,')[0]}`.includes(number)

interface Claimed {
  id: string
  claimed_at: Date | null
}

/** A message named as being sent may still arrive; no message may be claimed after the stop. */
export async function judgeStops(
  findings: Findings,
  installation: ChaosInstallation,
  stops: readonly Stop[],
  leaseMs: number,
): Promise<void> {
  const rows = await installation.query<Claimed>(
    `select id, lease_until - $1::float8 * interval '1 millisecond' as claimed_at from communications`,
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
    answeredWithMessagesOnTheirWay: stops.filter(stop => (stop.named?.length ?? 0) > 0).length,
    arrivedAfterwards: after.length,
  })
  const unnamed = after.filter(late => late.named !== null && !late.named.includes(late.id))
  findings.check(
    'no message left after a pause or cancel was answered, but for those it named',
    unnamed.length === 0,
    unnamed,
  )
  const claimedLater = after.filter(late => late.claimedAt > late.from)
  findings.check(
    'no message was claimed after its invoice was stopped or paid',
    claimedLater.length === 0,
    claimedLater,
  )
}
