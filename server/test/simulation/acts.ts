import { parseArgs } from 'node:util'
import type { Channel } from '../../src/domain/contact/channel.ts'
import { channels } from '../../src/domain/contact/channel.ts'
import type { PastContact } from '../../src/domain/contact/contact-rules.ts'
import { cents } from '../../src/domain/money/money.ts'
import { builtInCascades, fullReach } from '../../src/domain/recovery/cascade.ts'
import { planDebtor } from '../../src/domain/recovery/debtor-plan.ts'
import { startHold } from '../../src/domain/recovery/hold.ts'
import { replan } from '../../src/domain/recovery/next-step.ts'
import type { LookContext, WaitingExtra, WaitingRecovery } from '../../src/domain/recovery/waiting.ts'
import { DAY, HOUR } from '../../src/domain/time.ts'
import { pick } from '../chaos/announced-client.ts'
import type { Findings } from '../chaos/findings.ts'
import { type Random, randomFrom } from '../chaos/random.ts'
import { fileOf, paris } from './contact-file.ts'

/*
 * No act of a person makes a message of another invoice leave earlier than it was announced. Debtors with several invoices are
 * generated, each at some moment of its life; a person acts on one invoice; the plans before and after are compared.
 */

const acts = [
  'paid',
  'part_paid',
  'paused',
  'promised',
  'cancelled',
  'message',
  'message_taken_back',
  'disputed',
  'quiet',
] as const
type Act = (typeof acts)[number]

interface Life {
  recoveries: WaitingRecovery[]
  extras: WaitingExtra[]
  context: LookContext
}

const postalCodes = ['69002', '68000', '97400', '97110', '75001']

function newLife(random: Random, number: number): Life {
  const now = paris('2026-11-16 08:00') + random.between(0, 40 * 24) * HOUR + random.between(0, 3599) * 1_000
  const contacts: PastContact[] = []
  for (let at = now - random.between(0, 30) * DAY; at < now; at += random.between(3, 9) * DAY)
    contacts.push({ at: at - random.between(1, 10) * HOUR, channel: pick(random, channels) })
  const past = contacts.filter(({ at }) => at < now)
  const rules = {
    ...fileOf(pick(random, postalCodes), past),
    month: past,
    caps: { perWeek: random.between(1, 3), perMonth: random.between(3, 8) },
  }
  const seed = `life ${number}`
  const context: LookContext = { rules, now, seed, hold: null, unusable: [] }
  const recoveries = Array.from({ length: random.between(2, 7) }, (_, i): WaitingRecovery => {
    const cascade = pick(random, builtInCascades)
    const step = random.between(0, cascade.steps.length - 2)
    const anchor = now - cascade.steps[step]!.day * DAY - random.between(-3, 3) * DAY
    const reach = {
      ...fullReach(cents(pick(random, [8_000, 20_000, 120_000]))),
      hasPhone: random.between(0, 3) > 0,
      hasMobile: random.between(0, 3) > 0,
      hasAddress: random.between(0, 3) > 0,
    }
    const progress = { cascade, step, attempt: 0, anchor, notice: null }
    const lastAt = step === 0 ? null : now - random.between(1, 6) * DAY
    const last = lastAt === null ? null : { at: lastAt, wasContact: true }
    const { at, because, wish, channel } = replan(progress, last, { rules, reach, now, seed })
    return {
      invoiceId: `invoice ${i}`,
      status: 'in_recovery',
      holds: [],
      pausedAt: null,
      progress,
      lastAt,
      due: { at, because, wish, channel },
      reach,
      dueDate: '2026-10-01',
      limitationEndsOn: '2031-09-01',
    }
  })
  const extras = Array.from({ length: random.between(0, 2) }, (_, i) =>
    requested(random, `extra ${i}`, pick(random, recoveries).invoiceId, now + random.between(0, 5) * DAY),
  )
  return { recoveries, extras, context }
}

function requested(random: Random, id: string, invoiceId: string, at: number): WaitingExtra {
  const channel: Channel = pick(random, channels)
  return {
    id,
    invoiceId,
    step: 'extra_message',
    channel,
    at,
    wish: at,
    dueDate: '2026-10-01',
    limitationEndsOn: '2031-09-01',
    recovery: 'in_recovery',
  }
}

/** The life after an act on one invoice; what was announced for the others stays the earliest moment. */
function actOn(random: Random, life: Life, act: Act, invoiceId: string): Life {
  const { context } = life
  const plan = planDebtor(life.recoveries, life.extras, context)
  const others = life.recoveries.map((recovery): WaitingRecovery => {
    const next = plan.next.get(recovery.invoiceId)
    return recovery.invoiceId !== invoiceId && next?.kind === 'send'
      ? { ...recovery, notBefore: next.at }
      : recovery
  })
  const extras = life.extras.map(extra => {
    const at = plan.extras.get(extra.id)?.at
    return extra.invoiceId !== invoiceId && at != null ? { ...extra, at, wish: at } : extra
  })
  const without = {
    recoveries: others.filter(one => one.invoiceId !== invoiceId),
    extras: extras.filter(one => one.invoiceId !== invoiceId),
  }
  const changed = (change: (recovery: WaitingRecovery) => WaitingRecovery) =>
    others.map(one => (one.invoiceId === invoiceId ? change(one) : one))
  switch (act) {
    case 'paid':
    case 'cancelled':
      return { ...without, context }
    case 'part_paid':
    case 'quiet': {
      const quietUntil = context.now + 3 * DAY
      const recoveries = changed(one => ({ ...one, reach: { ...one.reach, balance: cents(5_000) } }))
      return { recoveries, extras, context: { ...context, rules: { ...context.rules, quietUntil } } }
    }
    case 'paused':
    case 'disputed':
    case 'promised': {
      const end =
        act === 'paused' || act === 'disputed'
          ? null
          : { at: context.now + 10 * DAY, because: 'promise' as const }
      const hold = act === 'paused' ? 'asked' : act === 'disputed' ? 'dispute' : 'promise'
      const recoveries = changed(one => ({ ...one, ...startHold(one, hold, end, context.now) }))
      return { recoveries: recoveries.filter(({ due }) => due.at !== null), extras: without.extras, context }
    }
    case 'message':
      return {
        recoveries: others,
        extras: [...extras, requested(random, 'asked', invoiceId, context.now)],
        context,
      }
    case 'message_taken_back':
      return { recoveries: others, extras: without.extras, context }
  }
}

/** What leaves earlier than announced, of other invoices. */
export function broughtForward(random: Random, number: number): string[] {
  const life = newLife(random, number)
  const act = pick(random, acts)
  const { invoiceId } = pick(random, life.recoveries)
  const before = planDebtor(life.recoveries, life.extras, life.context)
  const changed = actOn(random, life, act, invoiceId)
  const after = planDebtor(changed.recoveries, changed.extras, changed.context)
  const earlier = (id: string, announced: number | null, now: number | null | undefined) =>
    announced !== null && now != null && now < announced
      ? [
          `life ${number}, ${act} on ${invoiceId}: ${id} ${new Date(announced).toISOString()} → ${new Date(now).toISOString()}`,
        ]
      : []
  return [
    ...[...before.next].flatMap(([id, { kind, at }]) =>
      id === invoiceId || kind !== 'send' || after.next.get(id)?.kind !== 'send'
        ? []
        : earlier(id, at, after.next.get(id)?.at),
    ),
    ...life.extras.flatMap(({ id, invoiceId: whose }) =>
      whose === invoiceId ? [] : earlier(id, before.extras.get(id)?.at ?? null, after.extras.get(id)?.at),
    ),
  ]
}

export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      lives: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const lives = Number(values.lives)
  console.log(`acts: ${lives} lives, seed ${values.seed}`)
  const random = randomFrom(Number(values.seed))
  const found: string[] = []
  for (let number = 0; number < lives; number++) found.push(...broughtForward(random, number))
  for (const line of found.slice(0, 10)) console.log(line)
  findings.check(
    'no act makes a message of another invoice leave earlier than announced',
    found.length === 0,
    `${found.length} messages in ${lives} lives`,
  )
}
