import type { ReceivedMail } from '../../dev/mailbox.ts'
import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'
import type { Deed } from './stories.ts'

/** From when to when nothing may leave for an invoice. */
interface Stop {
  number: string
  from: number
  until: number
  /** Those the answer named as on their way already; money is answered without such a list. */
  named: readonly string[] | null
}

const stopsWithAnswer = ['pause', 'cancel']

export function stopsOf({ number, deeds }: { number: string; deeds: readonly Deed[] }): Stop[] {
  return deeds.flatMap((deed, i) => {
    const isNamed = stopsWithAnswer.includes(deed.wish)
    if (deed.answeredAt === null || !(isNamed || deed.wish === 'rest')) return []
    const resumed = deeds.slice(i + 1).find(later => later.wish === 'resume')
    return [
      {
        number,
        from: deed.answeredAt,
        until: resumed?.askedAt ?? Number.POSITIVE_INFINITY,
        named: isNamed ? (deed.data?.inFlight ?? []).map(message => message.communicationId) : null,
      },
    ]
  })
}

/** An invoice that is only mentioned as open too is not what the message is about. */
export const speaksOf = (mail: ReceivedMail, number: string) =>
  `${mail.subject}\n${mail.text.split('Pour information,')[0]}`.includes(number)

interface Claimed {
  id: string
  claimed_at: Date | null
}

/** A message named as on its way may still arrive; nobody may take one up after the stop. */
export async function judgeStops(
  findings: Findings,
  stage: Stage,
  stops: readonly Stop[],
  leaseMs: number,
): Promise<void> {
  const rows = await stage.ask<Claimed>(
    `select id, lease_until - $1::float8 * interval '1 millisecond' as claimed_at from communications`,
    [leaseMs],
  )
  const claimedAt = new Map(rows.map(row => [row.id, row.claimed_at?.getTime() ?? 0]))
  const mails = stage.mailbox.messages().map(mail => ({
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
  const takenUp = after.filter(late => late.claimedAt > late.from)
  findings.check(
    'no message was taken up after its invoice was stopped or paid',
    takenUp.length === 0,
    takenUp,
  )
}
