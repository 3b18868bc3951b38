import type { Heard } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { transact } from '../../../kit/db/transaction.ts'
import type { Site } from '../../../kit/http/site.ts'
import { insertProviderEvent } from '../../platform/callbacks/provider-events.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import type { World } from '../../recovery/case/case.ts'
import { leaveInPeace } from '../../recovery/case/change.ts'
import { lockAgendas, lookAgain, tellRunning } from '../../recovery/holds/hold-debtor.ts'
import { byCode, type Coded, isCode, readCode } from '../../recovery/messages/code.ts'
import { keepForLater } from '../../recovery/receipts/early-receipts.ts'
import { recordReceipt } from '../../recovery/receipts/receipt.ts'
import { closeCall } from '../calls/call-record.ts'

/** A provider, and the channel whose messages it can speak of. */
interface Speaker {
  provider: string
  channel: Channel
}

type TakenNews = 'taken' | 'heard_before' | 'unknown_code'
type CodedNews = Exclude<Heard, { kind: 'reply_by_phone' }>

const readChannel = sql('callbacks.get-channel', 'select channel from communications where id = $1').as<{
  channel: Channel
}>()

const codesByPhone = sql('callbacks.find-codes-by-phone', 'select codes_by_phone($1, $2) as code').as<{
  code: string
}>()

/** A text message can be answered for as long as anybody remembers it. */
const answeredWithin = 90 * DAY

/** What a provider said. An answer that names only a phone is one to everybody who wrote there. */
export async function takeHeard(
  site: Pick<Site, 'pool' | 'clock' | 'newId'>,
  by: Speaker,
  heard: Heard,
  requestId: string,
): Promise<TakenNews> {
  if (heard.kind !== 'reply_by_phone') return takeNews(site, by, heard, requestId)
  const since = iso(site.clock.wall() - answeredWithin)
  const written = await asking(site.pool)(codesByPhone, [heard.phone, since])
  for (const { code } of written) {
    const reply = { ...heard, kind: 'reply' as const, code, eventId: `${heard.eventId} ${code}` }
    await takeNews(site, by, reply, requestId)
  }
  return written.length > 0 ? 'taken' : 'unknown_code'
}

/**
 * One piece of news, once, in one transaction with all that follows from it. What comes before the sending was written down is
 * kept, and told again by the worker.
 */
async function takeNews(
  { pool, clock, newId }: Pick<Site, 'pool' | 'clock' | 'newId'>,
  { provider, channel }: Speaker,
  heard: CodedNews,
  requestId: string,
): Promise<TakenNews> {
  const wall = clock.wall()
  const [coded] = isCode(heard.code) ? await asking(pool)(readCode, [heard.code, iso(wall)]) : []
  if (!coded) return 'unknown_code'
  return transact(pool, byCode(heard.code, wall), [], async ({ tx, offsetMs }) => {
    const [message] = await tx.rows(readChannel, [coded.communication_id])
    if (message?.channel !== channel) return 'unknown_code'
    const [isNew] = await tx.rows(insertProviderEvent, [
      provider,
      plainSha256(heard.eventId).toString('hex'),
      iso(wall),
    ])
    if (!isNew) return 'heard_before'
    const actor = {
      kind: 'provider' as const,
      id: provider,
      tenantId: coded.tenant_id,
      companyId: coded.company_id,
      environment: coded.environment,
      scopes: [],
    }
    const world = { tx, actor, now: wall + offsetMs, wall, requestId, newId: () => newId(wall) }
    if (heard.kind === 'reply') await takeReply(world, coded, channel, heard.isStop)
    else {
      const { outcome } = heard
      // Providers speak of the wall; a development clock may be elsewhere.
      const receipt = { communicationId: coded.communication_id, outcome, at: heard.at + offsetMs }
      const recorded = await recordReceipt(world, receipt)
      if (heard.call) await closeCall(world, coded.communication_id, heard.call)
      if (!recorded.recorded && recorded.because === 'not_yet') keepForLater(tx, coded, receipt, wall)
    }
    return 'taken'
  })
}

/** Whoever answers is left in peace for some days; whoever asks us to stop is not contacted that way again. */
async function takeReply(world: World, coded: Coded, channel: Channel, isStop: boolean): Promise<void> {
  // Whoever said to be somebody else answers for nobody.
  if (coded.disowned) return
  if (isStop) {
    await optOut(world, coded.debtor_id, { channel, reason: 'the answer to a message' })
    return
  }
  await lockAgendas(world, [coded.debtor_id])
  await tellRunning(world, [coded.debtor_id], {
    action: 'reply',
    channel,
    details: 'The debtor answered; the company has the answer.',
  })
  leaveInPeace(world, coded.debtor_id)
  lookAgain(world, [coded.debtor_id])
}
