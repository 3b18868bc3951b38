import type { Channel } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { WorkerContext } from './worker-context.ts'

/** A single failure may concern one message only. After this many without an answer in between, the provider is away. */
const failuresMax = 3

// While the provider is away, only a failed probe counts, not the failures of messages that were already being sent.
const noteFailure = sql(
  'messages.note-provider-failure',
  `insert into provider_outages as o (channel, provider, since, failures, reason) values ($1, $2, $3, 1, $4)
   on conflict (channel) do update
      set provider = excluded.provider, reason = excluded.reason, probe_until = null,
          since = case when o.provider = excluded.provider then o.since else excluded.since end,
          failures = case when o.provider = excluded.provider then o.failures + 1 else 1 end,
          until = case when o.provider = excluded.provider and o.failures + 1 >= ${failuresMax}
            then $3::timestamptz + ($5::integer[])[least(o.failures + 2 - ${failuresMax}, cardinality($5::integer[]))] * interval '1 second' end
    where o.provider <> excluded.provider or o.until is null or o.until <= $3
   returning failures, until`,
).as<{ failures: number; until: number | null }>()

const readOutage = sql(
  'messages.get-provider-outage',
  'select until from provider_outages where channel = $1 and provider = $2',
)
const endOutage = sql(
  'messages.end-provider-outage',
  'delete from provider_outages where channel = $1 and provider = $2 returning since, until',
)
// Only one of the waiting messages becomes the probe.
const takeProbe = sql(
  'messages.take-probe',
  `update provider_outages set probe_until = $3
    where channel = (select channel from provider_outages
                      where channel = $1 and until <= $2 and (probe_until is null or probe_until <= $2) for update skip locked)
   returning channel`,
)

interface Provider {
  channel: Channel
  provider: string
}

/** The provider could not be reached, did not answer, or rejected us and not the message. Returns until when it is away. */
export async function noteProviderFailure(
  { pool, log, providerRetrySeconds }: WorkerContext,
  { channel, provider }: Provider,
  reason: string,
  now: number,
): Promise<number | null> {
  const query = queryOn(pool)
  const [noted] = await query(noteFailure, [channel, provider, iso(now), reason, providerRetrySeconds])
  const [known] = noted ? [noted] : await query(readOutage, [channel, provider])
  if (noted?.failures === failuresMax)
    log.error({ channel, provider, reason, until: iso(noted.until!) }, 'provider is away')
  return known?.until ?? null
}

/** These providers answered about a message, so their outage is over. */
export function noteProviderAnswers(
  tx: Tx,
  { log }: WorkerContext,
  providers: ReadonlyMap<Channel, string>,
): void {
  for (const [channel, provider] of providers)
    tx.atCommit(endOutage, [channel, provider], ([ended]) => {
      if (ended?.until != null) log.info({ channel, provider, since: iso(ended.since) }, 'provider is back')
    })
}

/** True if this message may be the probe of a provider that was away; false if another one is. */
export const mayTry = async (
  tx: Tx,
  { leaseMs }: WorkerContext,
  channel: Channel,
  now: number,
): Promise<boolean> => (await tx.rows(takeProbe, [channel, iso(now), iso(now + leaseMs)])).length > 0
