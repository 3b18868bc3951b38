import { parseArgs } from 'node:util'
import { calendarFor, horizon } from '../../src/domain/contact/calendar.ts'
import { type Channel, channels } from '../../src/domain/contact/channel.ts'
import type { Piece, Span } from '../../src/domain/contact/contact-calendar.ts'
import { COOLDOWN, type ContactFile, capsMax } from '../../src/domain/contact/contact-rules.ts'
import { addDays, DAY, HOUR, instantOf, iso, localTime, MINUTE } from '../../src/domain/time.ts'
import { calendarOfDebtor } from '../../src/features/recovery/case/debtor-calendar.ts'
import { contactFile } from '../../src/features/recovery/case/debtor-file.ts'
import type { DebtorFile } from '../../src/features/recovery/case/debtor-file-store.ts'
import type { ContentRow } from '../../src/features/recovery/messages/compose/content-store.ts'
import { obstacleToSending } from '../../src/features/recovery/messages/send/claim.ts'
import type { Findings } from '../chaos/findings.ts'
import { type Random, randomFrom } from '../chaos/random.ts'
import { places } from './population.ts'

const addresses = [
  ...places,
  ['FR', null],
  ['FR', '98714'],
  ['ES', null],
  ['ES', '35001'],
  ['PT', null],
  ['PT', '9500-150'],
  ['DE', '80331'],
  ['CH', '1204'],
  ['IT', '39100'],
  ['US', '10001'],
] as const

const chosen = <T>(random: Random, items: readonly T[]): T => items[random.between(0, items.length - 1)]!
const happens = (random: Random, percent: number): boolean => random.between(1, 100) <= percent

/** Contacts around the span, some on the same days, some reserved for later. */
function contactsIn(random: Random, { from }: Span, most: number) {
  const favourite = happens(random, 30) ? chosen(random, channels) : null
  return Array.from({ length: random.between(0, most) }, (_, index) => ({
    at: from + random.between(-40, 45) * DAY + random.between(0, DAY - 1),
    channel: favourite ?? chosen(random, channels),
    communicationId: `${index}`,
    isOpen: happens(random, 10),
  }))
}

function pauseIn(random: Random, { from }: Span) {
  const isPaused = happens(random, 12)
  return {
    paused_at: isPaused ? from - DAY : null,
    paused_until: isPaused && happens(random, 80) ? from + random.between(-DAY, 43 * DAY) : null,
  }
}

interface Case {
  file: DebtorFile
  rules: ContactFile
  span: Span
}

/** A debtor as the worker reads it: anywhere, with any contacts, holds, closed channels and caps. */
export function debtorAt(random: Random): Case {
  const [country, postalCode] = chosen(random, addresses)
  const zone = calendarFor({ country, postalCode })?.zones[0] ?? 'UTC'
  const firstDay = happens(random, 5)
    ? addDays(horizon.to, -20)
    : addDays(horizon.from, random.between(0, 2_500))
  const from = instantOf(zone, firstDay, 0) + (happens(random, 50) ? 0 : random.between(0, DAY - 1))
  const span = { from, until: from + random.between(HOUR, 42 * DAY) }
  const isBusy = happens(random, 40)
  const contacts = contactsIn(random, span, isBusy ? 10 : 2)
  const file = {
    country,
    postal_code: postalCode,
    city: 'Ville',
    address: happens(random, 90) ? '1 rue Haute' : null,
    phone: chosen(random, ['+33612345678', '+33612345678', '+33612345678', '+33472000000', null]),
    type: chosen(random, ['business', 'business', 'consumer'] as const),
    insolvency_kind: happens(random, 2) ? 'safeguard' : null,
    has_unread_reply: happens(random, 2),
    has_situation: happens(random, 2),
    ...pauseIn(random, span),
    closed: channels.flatMap(channel =>
      happens(random, 2) ? [{ channel, because: chosen(random, ['opt_out', 'wrong_person'] as const) }] : [],
    ),
    missing: channels.filter(() => happens(random, 3)),
    contacts,
    month: [...contacts, ...contactsIn(random, span, isBusy ? 12 : 1)],
    points: [],
    failures: [],
    stopped: [],
    stop_reason: null,
    creditor: {
      collector: null,
      perWeek: happens(random, 40) ? capsMax.perWeek : random.between(2, capsMax.perWeek),
      perMonth: happens(random, 40) ? capsMax.perMonth : random.between(4, capsMax.perMonth),
    },
  } as unknown as DebtorFile
  const quiet = happens(random, 25) ? from + random.between(-DAY, 10 * DAY) : null
  return { file, rules: contactFile(file, { quiet_until: quiet }), span }
}

// A message to which nothing but the person's own calendar can be an obstacle.
const message = {
  step: 'relance_email_1',
  not_after: Number.POSITIVE_INFINITY,
  is_stopped: false,
  points: [],
}
const content = { invoices: [{}] } as unknown as ContentRow

/** What the gate says to a message of this channel at this instant; null: it may leave. */
function askGate({ file, rules }: Case, channel: Channel, at: number): string | null {
  if (channel === 'sms' && file.phone !== '+33612345678') return 'no_mobile'
  if (channel === 'voice' && file.phone === null) return 'no_phone'
  if (channel === 'lrar' && (file.address === null || file.postal_code === null)) return 'no_address'
  if (file.missing.includes(channel)) return 'no_provider'
  return obstacleToSending({ ...message, channel }, file, content, rules, at)
}

/** Anywhere in the span, and as often just before, at and after an instant at which something may change. */
function instantIn(random: Random, { rules, span }: Case, pieces: readonly Piece[]): number {
  const anywhere = random.between(span.from, span.until - 1)
  const zone = rules.calendar?.zones[0] ?? 'UTC'
  const contact = rules.month.length > 0 ? chosen(random, rules.month).at : anywhere
  const sought = chosen(random, [
    anywhere,
    anywhere,
    chosen(random, pieces).from,
    chosen(random, pieces).until,
    instantOf(
      zone,
      localTime(zone, anywhere).date,
      chosen(random, [0, 480, 540, 600, 750, 780, 840, 1110, 1200]),
    ),
    contact + chosen(random, [COOLDOWN, -COOLDOWN, 7 * DAY, 30 * DAY, 0]),
  ])
  const at = sought + chosen(random, [-MINUTE, -1, 0, 0, 1, MINUTE])
  return at >= span.from && at < span.until ? at : anywhere
}

interface Outcome {
  cases: number
  open: number
  /** How often each reason was the answer. */
  reasons: Record<string, number>
  pieces: number
  /** Milliseconds of a calendar of all channels. */
  longestMs: number
  wrong: string[]
  /** Pieces that do not cover their span, or that two neighbours say the same of. */
  faulty: string[]
}

const instantsPerChannel = 20

export function compareCalendars(cases: number, seed: number): Outcome {
  const random = randomFrom(seed)
  const outcome: Outcome = { cases: 0, open: 0, reasons: {}, pieces: 0, longestMs: 0, wrong: [], faulty: [] }
  while (outcome.cases < cases) {
    const debtor = debtorAt(random)
    const start = performance.now()
    const calendar = calendarOfDebtor(debtor.file, debtor.rules, debtor.span)
    outcome.longestMs = Math.max(outcome.longestMs, performance.now() - start)
    for (const { channel, closed, pieces } of calendar) {
      outcome.pieces += pieces.length
      const about = `${debtor.file.country} ${debtor.file.postal_code} ${channel}`
      if (!covers(pieces, debtor.span)) outcome.faulty.push(about)
      if (closed !== null && pieces.some(({ allowed }) => allowed))
        outcome.faulty.push(`${about}: closed by ${closed}`)
      for (let i = 0; i < instantsPerChannel; i++) {
        const at = instantIn(random, debtor, pieces)
        const piece = pieces.find(({ from, until }) => from <= at && at < until)
        const because = askGate(debtor, channel, at)
        outcome.cases++
        if (because === null) outcome.open++
        else outcome.reasons[because] = (outcome.reasons[because] ?? 0) + 1
        if (piece?.because !== because || piece.allowed !== (because === null))
          outcome.wrong.push(`${about} at ${iso(at)}: ${piece?.because}, the gate says ${because}`)
      }
    }
  }
  return outcome
}

function covers(pieces: readonly Piece[], { from, until }: Span): boolean {
  const isWhole = pieces[0]?.from === from && pieces.at(-1)?.until === until
  return isWhole && pieces.every((piece, i) => i === 0 || joins(pieces[i - 1]!, piece))
}

const joins = (before: Piece, piece: Piece): boolean =>
  before.until === piece.from &&
  piece.from < piece.until &&
  JSON.stringify([before.because, before.params]) !== JSON.stringify([piece.because, piece.params])

/** What a debtor’s calendar says of an instant is what the gate says to a message at that instant. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      cases: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '20261117' },
    },
  })
  const { cases, open, reasons, pieces, longestMs, wrong, faulty } = compareCalendars(
    Number(values.cases),
    Number(values.seed),
  )
  findings.figure('seed', values.seed)
  findings.figure('cases, open ones, pieces', `${cases}, ${open}, ${pieces}`)
  findings.figure('closed by', reasons)
  findings.figure('longest calendar of four channels, ms', Math.round(longestMs))
  findings.check('a piece is open exactly when the gate lets a message leave', wrong.length === 0, wrong)
  findings.check(
    'the pieces cover their time, and each differs from the one before',
    faulty.length === 0,
    faulty,
  )
  findings.check(
    'every reason was met',
    reasonsMet.every(because => reasons[because]),
    reasons,
  )
  findings.check('a good part was open', open > cases / 20, open)
}

const reasonsMet = [
  ...['outside_hours', 'call_hours', 'sunday', 'public_holiday', 'one_contact_a_day', 'channel_cooldown'],
  ...['weekly_cap', 'monthly_cap', 'call_cap', 'sign_of_life', 'calendar_missing', 'foreign_consumer'],
  ...[
    'calendar_horizon',
    'insolvency',
    'wrong_person',
    'reply',
    'debtor',
    'channel_closed',
    'no_provider',
    'no_phone',
  ],
]
