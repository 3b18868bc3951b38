import type {
  Channel,
  ContactCalendar,
  Debtor,
  Invoice,
  PaymentOfInvoice,
  PlannedAction,
  TimelineEntry,
  Today,
} from '../../../../sdk/src/index.ts'
import { nameOfDay, wallClock } from '../../simulation/local-clock.ts'
import { below, type Drawn, has, number, rowsOf } from './drawn-read.ts'

/*
 * What must be drawn, computed from the answer of the API alone: nothing of the console is used here. Words of the console are
 * not repeated either: whatever stands for a code must do so everywhere, and for no other code.
 */

export interface Oracle {
  /** What differs between the answer and the screen, in words. */
  readonly faults: string[]
  /** How much was compared. */
  readonly compared: Record<'cells' | 'marks' | 'rows' | 'bars', number>
  calendar(answer: ContactCalendar, grid: Drawn, twin: Drawn, form?: 'wide' | 'phone'): void
  ladder(answer: LadderAnswer, picture: Drawn | undefined, twin: Drawn): void
  balance(invoices: readonly Invoice[], table: Drawn, clocks: Clocks): void
  account(account: NonNullable<Debtor['account']>, sums: Drawn, bar: Drawn | undefined): void
  ribbon(answer: Today, picture: Drawn, twin: Drawn, form?: 'wide' | 'narrow'): void
}

/** The clock of the company, that of the debtor and its place, and the present. */
interface Clocks {
  readonly home: string
  readonly local: string
  readonly place: string
  readonly now: number
}

export interface LadderAnswer {
  readonly id: string
  readonly now: number
  readonly timeZone: string
  readonly timeline: readonly TimelineEntry[]
  readonly actions: readonly PlannedAction[]
  readonly payments: readonly PaymentOfInvoice[]
  readonly limitationEndsOn: string | null
}

type Cause = NonNullable<ContactCalendar['channels'][number]['pieces'][number]['because']>

const hour = 3_600_000
const minute = 60_000
const channelWords: Record<Channel, string> = {
  email: 'E-mail',
  sms: 'SMS',
  voice: 'Appel',
  lrar: 'Courrier',
}
const channels: readonly Channel[] = ['email', 'sms', 'voice', 'lrar']

/** Every cause that is none of these is a hold. */
const patterns: Partial<Record<Cause, string>> = {
  outside_hours: 'hours',
  call_hours: 'hours',
  sunday: 'sunday',
  public_holiday: 'holiday',
  one_contact_a_day: 'day',
  channel_cooldown: 'cooldown',
  weekly_cap: 'cap',
  monthly_cap: 'cap',
  call_cap: 'cap',
}
const glyphs: Readonly<Record<string, string>> = {
  'M-3.2 0.2 L-1 2.4 L3.2 -2.2': 'sent',
  'M-4.2 0.2 L-2.2 2.2 L1.2 -2 M-0.2 2.2 L0 2.2 L4.2 -2': 'delivered',
  'M-2.4 -2.4 L2.4 2.4 M2.4 -2.4 L-2.4 2.4': 'refused',
  'M-1.8 -1.6 C-1.8 -3.8 2 -3.8 1.9 -1.6 C1.8 -0.2 0 -0.2 0 1.2 M0 3 V3.3': 'unknown',
  'M-2.8 0 H2.8': 'skipped',
}
/** The colour says what became of it. */
const fills: Readonly<Record<string, string>> = {
  sent: 'fill-brand',
  delivered: 'fill-brand',
  refused: 'fill-alarm',
  unknown: 'fill-warn',
  skipped: 'fill-edge',
}
const signs: Readonly<Record<string, string>> = {
  reserved: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  unknown: 'unknown',
  bounced: 'refused',
  failed: 'refused',
  refused: 'refused',
  unclaimed: 'refused',
}

const dayText = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at)
const clock = (at: number, timeZone: string) => {
  const { msOfDay } = wallClock(timeZone, at)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${two(msOfDay / hour)}:${two((msOfDay % hour) / minute)}`
}
const dateOf = (at: number, timeZone: string) => nameOfDay(wallClock(timeZone, at).day)
const frenchDate = (date: string) => date.slice(0, 10).split('-').reverse().join('/')
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const cents = (text: string) => Number(text.replaceAll('−', '-').replaceAll(/[^\d-]/g, ''))
const isNear = (left: number, right: number, by = 0.05) => Math.abs(left - right) <= by

/** The channel whose colour something has. */
const channelOf = (drawn: Drawn): Channel | undefined =>
  channels.find(channel => has(drawn, `fill-${channel}`) || has(drawn, `stroke-${channel}`))

/** A message that was sent: a disc with a sign; or one that is planned: a dashed ring. */
function contactOf(drawn: Drawn) {
  if (drawn.tag === 'circle')
    return {
      x: number(drawn, 'cx'),
      y: number(drawn, 'cy'),
      channel: channelOf(drawn),
      sign: drawn.at['stroke-dasharray'] ? 'planned' : undefined,
    }
  const [x, y] =
    /translate\((\S+) (\S+)\)/
      .exec(drawn.at.transform ?? '')
      ?.slice(1)
      .map(Number) ?? []
  const [disc, glyph] = drawn.in
  const sign = glyphs[glyph?.at.d ?? '']
  const isColoured = disc !== undefined && sign !== undefined && has(disc, fills[sign]!)
  return {
    x,
    y,
    channel: channels.find(channel => channel === drawn.at['data-channel']),
    sign: isColoured ? sign : undefined,
  }
}

export function newOracle(): Oracle {
  const faults: string[] = []
  const compared = { cells: 0, marks: 0, rows: 0, bars: 0 }
  const words = new Map<string, string>()

  /** The same code has the same words everywhere, and no other code has them. */
  function learn(kind: string, code: string, text: string, where: string): void {
    const before = words.get(`${kind} code ${code}`)
    const said = words.get(`${kind} text ${text}`)
    if (
      !text ||
      text === code ||
      (before !== undefined && before !== text) ||
      (said !== undefined && said !== code)
    )
      faults.push(
        `${where}: the ${kind} ${code} is called "${text}", before "${before}"; the same words stood for ${said}`,
      )
    words.set(`${kind} code ${code}`, text)
    words.set(`${kind} text ${text}`, code)
  }
  const same = (where: string, drawn: unknown, said: unknown) => {
    const [left, right] = [JSON.stringify(drawn), JSON.stringify(said)]
    if (left !== right) faults.push(`${where}: drawn ${left}, said ${right}`)
  }

  function calendar(
    answer: ContactCalendar,
    grid: Drawn,
    twin: Drawn,
    form: 'wide' | 'phone' = 'wide',
  ): void {
    const zone = answer.timeZone ?? 'UTC'
    const cells = new Map(
      below(grid)
        .filter(({ at }) => at['data-cell'])
        .map(cell => [cell.at['data-cell']!, cell] as const),
    )
    const surfaces = surfacesOf(grid)
    const marksIn = new Map(
      grid.in.filter(({ at }) => at['data-in']).map(group => [group.at['data-in']!, group.in] as const),
    )
    const days = answer.days.map(({ date, from, opens, closes, until }) => {
      const said = {
        date,
        from: Date.parse(from),
        opens: Date.parse(opens),
        closes: Date.parse(closes),
        until: Date.parse(until),
      }
      const name = `${answer.debtorId} ${date}`
      same(
        `${name}: eight and twenty o'clock`,
        [clock(said.opens, zone), clock(said.closes, zone)],
        ['08:00', '20:00'],
      )
      same(
        `${name}: the day`,
        [dateOf(said.opens, zone), dateOf(said.from, zone), dateOf(said.until - 1, zone)],
        [date, date, date],
      )
      return said
    })
    const drawnChannels = form === 'phone' ? answer.channels.slice(0, 1) : answer.channels
    if (form === 'wide') same(`${answer.debtorId}: cells`, cells.size, days.length * drawnChannels.length)
    const rows = rowsOf(twin)
    same(`${answer.debtorId}: rows`, rows.length, days.length)
    for (const [index, { date, from, opens, closes, until }] of days.entries()) {
      const row = rows[index]!.map(({ text }) => plain(text))
      const isToday = answer.days[index]!.isToday
      same(
        `${answer.debtorId} ${date}: its row`,
        row[0],
        plain(dayText(from, zone)) + (isToday ? ' (aujourd’hui)' : ''),
      )
      for (const [place, { channel, pieces }] of answer.channels.entries()) {
        const where = `${answer.debtorId} ${channel} ${date}`
        const parts = pieces.flatMap(piece => {
          const [start, end] = [
            Math.max(opens, Date.parse(piece.from)),
            Math.min(closes, Date.parse(piece.until)),
          ]
          return start < end ? [{ start, end, because: piece.because, isOpen: piece.allowed }] : []
        })
        same(
          `${where}: no gap`,
          parts.reduce((sum, { start, end }) => sum + end - start, 0),
          closes - opens,
        )
        const isHere = ({ at, channel: by }: { at: string; channel: Channel }) =>
          by === channel && Date.parse(at) >= from && Date.parse(at) < until
        const contacts = [
          ...answer.contacts
            .filter(isHere)
            .map(({ at, action, state }) => ({ at: Date.parse(at), action, sign: signs[state], state })),
          ...answer.planned
            .filter(isHere)
            .map(({ at, action }) => ({ at: Date.parse(at), action, sign: 'planned', state: null })),
        ]
        // Open from the next whole minute on, and until the one in which it closes has begun.
        const spans = joined(
          parts.filter(({ isOpen }) => isOpen).map(({ start, end }) => ({ start, end, pattern: 'open' })),
        )
        const times = spans.flatMap(({ start, end }) => [start, end].map(at => clock(at, zone)))
        const cell = cells.get(`${channel} ${date}`)
        const drawnMarks = marksIn.get(`${channel} ${date}`) ?? []
        if (cell)
          drawnCell(where, cell, {
            parts,
            contacts,
            times,
            opens,
            closes,
            channel,
            zone,
            from,
            form,
            surfaces,
            drawnMarks,
          })
        else if (form === 'wide') faults.push(`${where}: no cell`)
        twinCell(where, row[place + 1] ?? '', { parts, contacts, times, zone })
      }
    }
  }

  interface Surface {
    readonly pattern: string
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }

  /** What is closed: a path for each pattern, with a rectangle for each piece. */
  function surfacesOf(grid: Drawn): Surface[] {
    return grid.in.flatMap(({ at }) => {
      const pattern = /-(\w+)\)$/.exec(at.fill ?? '')?.[1]
      if (!pattern) return []
      return [...(at.d ?? '').matchAll(/M([\d.-]+) ([\d.-]+)h([\d.]+)v([\d.]+)h-[\d.]+z/g)].map(
        ([, x, y, width, height]) => ({
          pattern,
          x: Number(x),
          y: Number(y),
          width: Number(width),
          height: Number(height),
        }),
      )
    })
  }

  interface Part {
    readonly start: number
    readonly end: number
    readonly because: Cause | null
    readonly isOpen: boolean
  }
  interface Contact {
    readonly at: number
    readonly action: string
    readonly sign: string | undefined
    readonly state: string | null
  }
  interface CellAnswer {
    readonly parts: readonly Part[]
    readonly contacts: readonly Contact[]
    readonly times: readonly string[]
    readonly zone: string
  }

  function drawnCell(
    where: string,
    cell: Drawn,
    {
      parts,
      contacts,
      times,
      opens,
      closes,
      channel,
      zone,
      from,
      form,
      surfaces,
      drawnMarks,
    }: CellAnswer & {
      opens: number
      closes: number
      from: number
      channel: Channel
      form: 'wide' | 'phone'
      surfaces: readonly Surface[]
      drawnMarks: readonly Drawn[]
    },
  ): void {
    compared.cells++
    const [start, size] = form === 'wide' ? (['y', 'height'] as const) : (['x', 'width'] as const)
    const base = cell
    const momentAt = (place: number) =>
      opens + ((place - number(base, start)) / number(base, size)) * (closes - opens)
    const isHere = (at: 'x' | 'y', length: 'width' | 'height', surface: Surface) =>
      surface[at] >= number(base, at) - 0.01 &&
      surface[at] + surface[length] <= number(base, at) + number(base, length) + 0.01
    const painted = joined(
      surfaces
        .filter(surface => isHere('x', 'width', surface) && isHere('y', 'height', surface))
        .sort((a, b) => a[start] - b[start])
        .map(surface => ({
          start: momentAt(surface[start]),
          end: momentAt(surface[start] + surface[size]),
          pattern: surface.pattern,
        })),
    )
    const said = joined(
      parts.flatMap(({ start: begin, end, because }) =>
        because === null ? [] : [{ start: begin, end, pattern: patterns[because] ?? 'hold' }],
      ),
    )
    same(
      `${where}: what closes it`,
      painted.map(({ pattern }) => pattern),
      said.map(({ pattern }) => pattern),
    )
    for (const [i, { start: begin, end }] of said.entries())
      if (painted[i] && !(isNear(painted[i].start, begin, 1_000) && isNear(painted[i].end, end, 1_000)))
        faults.push(
          `${where}: closed from ${clock(painted[i].start, zone)} to ${clock(painted[i].end, zone)}, said ${clock(begin, zone)} to ${clock(end, zone)}`,
        )

    const marks = drawnMarks.map(contactOf)
    same(
      `${where}: marks`,
      marks.map(mark => [mark.channel, mark.sign]),
      contacts.map(({ sign }) => [channel, sign]),
    )
    const share = (at: number) => Math.min(1, Math.max(0, (at - opens) / (closes - opens)))
    for (const [i, { at }] of contacts.entries()) {
      compared.marks++
      const expected = number(base, start) + 8 + share(at) * (number(base, size) - 16)
      const drawn = form === 'wide' ? marks[i]?.y : marks[i]?.x
      if (!isNear(drawn ?? Number.NaN, expected))
        faults.push(`${where}: a mark at ${drawn}, not at ${expected}`)
    }
    const label = plain(cell.at['aria-label'] ?? '')
    const begin = `${plain(dayText(from, zone))}, ${channelWords[channel]} : `
    const names = label.split(', ').slice(label.split(', ').length - contacts.length)
    const verdict = label.slice(
      begin.length,
      label.length - names.reduce((sum, name) => sum + name.length + 2, 0),
    )
    same(`${where}: its name`, label.startsWith(begin), true)
    sayOpen(`${where}: its name`, verdict, times)
    for (const [i, { at, action }] of contacts.entries()) {
      same(`${where}: the time in its name`, names[i]!.slice(-5), clock(at, zone))
      learn('step', action, names[i]!.slice(0, -6), where)
    }
  }

  /** `ouvert de 08:46 à 20:00`, or `fermé`. */
  function sayOpen(where: string, text: string, times: readonly string[]): void {
    same(where, [text.startsWith('ouvert'), text.match(/\d\d:\d\d/g) ?? []], [times.length > 0, times])
  }

  function twinCell(where: string, text: string, { parts, contacts, times, zone }: CellAnswer): void {
    compared.rows++
    const [verdict = '', ...told] = text.split(' · ')
    sayOpen(`${where}: in the table`, verdict, times)
    if (times.length === 0) {
      const isHours = (because: Cause | null) => because === 'outside_hours' || because === 'call_hours'
      const causes = [...new Set(parts.map(({ because }) => because!))]
      const shown = causes.some(because => !isHours(because))
        ? causes.filter(because => !isHours(because))
        : causes
      const names = verdict.replace('fermé : ', '').split(', ')
      same(`${where}: causes in the table`, names.length, shown.length)
      for (const [i, because] of shown.entries()) learn('reason', because, names[i] ?? '', where)
    }
    same(`${where}: contacts in the table`, told.length, contacts.length)
    for (const [i, { at, action, state }] of contacts.entries()) {
      const [, planned, name, time, outcome] =
        /^(Prévu : )?(.*) à (\d\d:\d\d)(?: : (.*))?\.$/.exec(told[i] ?? '') ?? []
      same(`${where}: a contact in the table`, [Boolean(planned), time], [state === null, clock(at, zone)])
      learn('step', action, name ?? '', where)
      if (state !== null) learn('state', state, outcome ?? '', where)
    }
  }

  function ladder(answer: LadderAnswer, picture: Drawn | undefined, twin: Drawn): void {
    const { id, now, timeZone } = answer
    const said = [
      ...answer.timeline.flatMap(({ kind, code, at, action, channel, status, params }) => {
        const isSkipped = code === 'step_skipped'
        if (kind !== 'message' && !isSkipped) return []
        const because = typeof params.because === 'string' ? params.because : null
        return [
          {
            at: Date.parse(at),
            shape: isSkipped ? 'skipped' : 'done',
            sign: isSkipped ? null : (signs[status ?? ''] ?? 'sent'),
            channel: isSkipped ? null : channel,
            action,
            groupedWith: typeof params.groupedWith === 'string' ? params.groupedWith : null,
            isOtherChannel: params.insteadOf !== undefined && action !== 'lrar_mise_en_demeure',
            status,
            because,
            tableChannel: channel,
            ownAt: null as number | null,
            sum: null as number | null,
          },
        ]
      }),
      ...answer.actions.flatMap(
        ({ scheduledAt, ownAt, shifts, skipped, channel, isNext, action, reasonCode }) => {
          if (scheduledAt === null) return []
          const at = Date.parse(scheduledAt)
          const isMoved =
            ownAt !== null &&
            shifts.length > 0 &&
            dateOf(Date.parse(ownAt), timeZone) !== dateOf(at, timeZone)
          const shape = skipped ? 'skipped' : channel === null ? 'decision' : isNext ? 'next' : 'later'
          return [
            {
              at,
              shape,
              sign: null,
              channel: shape === 'skipped' ? null : channel,
              action,
              groupedWith: null,
              isOtherChannel: false,
              status: null,
              because: skipped ? reasonCode : null,
              tableChannel: channel,
              ownAt: isMoved ? Date.parse(ownAt) : null,
              sum: null,
            },
          ]
        },
      ),
      ...answer.payments.flatMap(({ status, paidAt, amountCents }) =>
        status === 'completed' && paidAt !== null
          ? [
              {
                at: Date.parse(paidAt),
                shape: 'payment',
                sign: null,
                channel: null,
                action: null,
                groupedWith: null,
                isOtherChannel: false,
                status: null,
                because: null,
                tableChannel: null,
                ownAt: null,
                sum: amountCents,
              },
            ]
          : [],
      ),
    ]
    type Said = (typeof said)[number]
    const nameOf = ({
      shape,
      channel,
      sign,
      at,
    }: Pick<Said, 'shape' | 'channel' | 'sign'> & { at: string }) =>
      [at, shape, channel ?? '–', sign ?? '–'].join(' ')
    const expected = said
      .map(one => ({ ...one, name: nameOf({ ...one, at: plain(dayText(one.at, timeZone)) }) }))
      .sort((left, right) => left.at - right.at || (left.name < right.name ? -1 : 1))

    if (!picture) same(`${id}: nothing is drawn`, expected.length, 0)
    else drawnLadder(picture)
    twinLadder()

    function drawnLadder(svg: Drawn): void {
      const marks = below(svg)
        .filter(({ at }) => at['data-mark'] !== undefined)
        .map(mark => {
          const shape = shapeOf(mark)
          const [, name = '', date = '', state = ''] =
            /^(.+?), (\S+ \d+ \S+?)(?: : (.*))?$/.exec(plain(mark.at['aria-label'] ?? '')) ?? []
          return { ...shape, name: nameOf({ ...shape, at: date }), title: name, state, mark }
        })
        .sort((left, right) => left.x - right.x || (left.name < right.name ? -1 : 1))
      same(
        `${id}: marks`,
        marks.map(({ name }) => name),
        expected.map(({ name }) => name),
      )
      if (marks.length !== expected.length) return
      compared.marks += marks.length

      // The axis is the line through the first mark and the present; every other mark has to lie on it.
      const today = below(svg).find(one => one.tag === 'line' && has(one, 'stroke-alarm'))
      const known = [
        ...expected.map(({ at }, i) => ({ at, x: marks[i]!.x })),
        { at: now, x: number(today!, 'x1') },
      ]
      known.sort((left, right) => left.at - right.at)
      const [first, last] = [known[0]!, known.at(-1)!]
      const perPixel = (last.at - first.at) / (last.x - first.x)
      const xOf = (at: number) => first.x + (at - first.at) / perPixel
      for (const { at, x } of known)
        if (last.at > first.at && !isNear(x, xOf(at), 0.2))
          faults.push(`${id}: ${clock(at, timeZone)} at ${x}, not at ${xOf(at)}`)
      for (const [i, one] of expected.entries()) {
        const { mark, title, state } = marks[i]!
        if (one.action !== null) sayStep(one, title)
        if (one.sum !== null) sayShort(`${id}: a payment`, title, one.sum)
        if (one.status !== null && one.because === null) learn('status', one.status, state, id)
        if (one.because !== null)
          learn('reason', one.because, state.replace(/^omis : /, '').split(', au lieu')[0]!, id)
        const own = below(mark).find(({ tag, at }) => tag === 'line' && at.x1 === at.x2)
        same(`${id}: ${title} moved`, own !== undefined, one.ownAt !== null)
        if (
          own &&
          one.ownAt !== null &&
          last.at > first.at &&
          !isNear(number(own, 'x1'), xOf(one.ownAt), 0.2)
        )
          faults.push(`${id}: ${title} was to be at ${xOf(one.ownAt)}, drawn at ${own.at.x1}`)
      }
      const wall = below(svg).find(({ tag, at }) => tag === 'rect' && at.width === '5')
      if (wall && last.at > first.at) {
        const at = first.at + (number(wall, 'x') - first.x) * perPixel
        same(`${id}: the day of limitation`, dateOf(at + 2 * hour, timeZone), answer.limitationEndsOn)
      }
    }

    /** A step that the message of another invoice executed says with which, and by which channel. */
    function sayStep({ action, channel, groupedWith, isOtherChannel }: Said, title: string): void {
      const end = groupedWith === null ? '' : `, avec ${groupedWith}`
      same(`${id}: with which invoice`, title.endsWith(end), true)
      const name = title.slice(0, title.length - end.length)
      if (isOtherChannel && channel) same(`${id}: what carried it`, name, channelWords[channel])
      else learn('step', action!, name, id)
    }

    function twinLadder(): void {
      const rows = rowsOf(twin).map(cells => cells.map(({ text }) => plain(text)))
      const steps = rows.filter(
        ([when = '', what = '']) => /\d\d:\d\d$/.test(when) && !what.startsWith('pause'),
      )
      const keyOf = (when: string, channel: string) => `${when} ${channel}`
      const wanted = expected.map(one =>
        keyOf(
          `${plain(dayText(one.at, timeZone))} ${clock(one.at, timeZone)}`,
          one.tableChannel ? channelWords[one.tableChannel] : '–',
        ),
      )
      compared.rows += wanted.length
      same(
        `${id}: rows`,
        steps.map(([when = '', , channel = '']) => keyOf(when, channel)).sort(),
        [...wanted].sort(),
      )
      const undated = answer.actions.filter(({ scheduledAt }) => scheduledAt === null)
      same(`${id}: rows without a date`, rows.filter(([when]) => when === 'sans date').length, undated.length)
      if (answer.limitationEndsOn !== null)
        same(`${id}: the row of limitation`, rows.at(-1)?.[0], frenchDate(answer.limitationEndsOn))
    }
  }

  /** Where an invoice stands: its holds, the first of its standing before the others, or its standing; at the end its status. */
  function sayStanding({ status, recovery }: Invoice, text: string, where: string): void {
    const isOver = !recovery || recovery.standing === 'ended' || recovery.standing === 'judicial'
    const first = recovery?.standing.replace(/^held:/, '')
    const codes: [kind: string, code: string][] = isOver
      ? [['invoice status', status]]
      : [
          ...(recovery.holds.length > 0
            ? [first!, ...recovery.holds.filter(hold => hold !== first)].map((hold): [string, string] => [
                'reason',
                hold,
              ])
            : [['standing', recovery.standing] as [string, string]]),
          ...(status === 'partial' || status === 'lrar_sent'
            ? [['invoice status', status] as [string, string]]
            : []),
        ]
    const words = text.split(', ')
    same(`${where}: where it stands`, words.length, codes.length)
    for (const [i, [kind, code]] of codes.entries()) {
      const [, word = '', sum] = /^(.*?)(?: \((.*)\))?$/.exec(words[i] ?? '') ?? []
      learn(kind, code, word, where)
      const isDisputed = code === 'dispute' || code === 'disputed'
      same(
        `${where}: the disputed sum`,
        sum ? cents(sum) : null,
        isDisputed ? (recovery?.disputedCents ?? null) : null,
      )
    }
  }

  /** What a mark of the ladder is, by its form. */
  function shapeOf(mark: Drawn) {
    const inside = mark.in.filter(
      ({ at }) => !has({ at } as Drawn, 'group') && !at.class?.includes('group-focus-visible'),
    )
    const contact = inside.find(one => one.tag === 'g' && one.at.transform)
    if (contact)
      return {
        ...contactOf(contact),
        x: contactOf(contact).x ?? Number.NaN,
        shape: 'done',
        channel: contactOf(contact).channel ?? null,
        sign: contactOf(contact).sign ?? null,
      }
    const rings = inside.filter(({ tag }) => tag === 'circle')
    const ring = rings[0]
    const place = inside[0]!
    const x = number(place, 'x') + number(place, 'width') / 2
    if (ring?.at['stroke-dasharray'])
      return { x, shape: 'later', channel: channelOf(ring) ?? null, sign: null }
    if (rings.length === 2) return { x, shape: 'next', channel: channelOf(ring!) ?? null, sign: null }
    if (ring) return { x, shape: 'skipped', channel: null, sign: null }
    const paths = inside.filter(({ tag }) => tag === 'path')
    return {
      x,
      shape: paths.some(({ at }) => at.d?.endsWith('z')) ? 'decision' : 'payment',
      channel: null,
      sign: null,
    }
  }

  /** `123,45 €` as it is, `9,0 k€` to a tenth. */
  function sayShort(where: string, text: string, sum: number): void {
    const value = Number(text.replace(',', '.').replaceAll(/[^\d.]/g, ''))
    if (!isNear(text.includes('k') ? value * 100_000 : cents(text), sum, text.includes('k') ? 5_000 : 0))
      faults.push(`${where}: drawn ${text}, said ${sum} cents`)
  }

  function balance(invoices: readonly Invoice[], table: Drawn, { home, local, place, now }: Clocks): void {
    const rows = rowsOf(table)
    same(
      'the invoices of a debtor',
      rows.map(([name]) => name!.text),
      invoices.map(({ invoiceNumber }) => invoiceNumber),
    )
    const numbers = new Map(invoices.map(({ id, invoiceNumber }) => [id, invoiceNumber]))
    for (const [i, invoice] of invoices.entries()) {
      compared.rows++
      const [, due, late, open, status, next] = rows[i]!
      const where = invoice.invoiceNumber
      same(where, [due!.text, cents(open!.text)], [frenchDate(invoice.dueDate), invoice.balanceCents])
      const days = invoice.recovery?.daysOverdue ?? 0
      same(`${where}: how late it is`, late!.text, days > 0 && invoice.balanceCents > 0 ? `${days} j` : '–')
      sayStanding(invoice, status!.text, where)
      const { recovery } = invoice
      if (!recovery) continue
      if (recovery.holds.length > 0) same(`${where}: it is held`, next!.text, '‖ retenue')
      else if (recovery.nextActionAt && recovery.nextAction) {
        const at = Date.parse(recovery.nextActionAt)
        const [own, there] = [clock(at, home), clock(at, local)]
        const time = own === there ? own : `${own}, ${there} à ${place}`
        const when = dateOf(at, home) === dateOf(now, home) ? time : plain(dayText(at, home))
        const carrier = recovery.withInvoiceId === null ? undefined : numbers.get(recovery.withInvoiceId)
        const icon = below(next!).find(({ at: given }) => given.role === 'img')
        if (recovery.nextChannel)
          same(`${where}: its channel`, icon?.at['aria-label'], channelWords[recovery.nextChannel])
        const text = plain(next!.text)
        const wanted = carrier === undefined ? when : `avec ${carrier}`
        if (recovery.nextChannel) same(`${where}: the next contact`, text, wanted)
        else {
          same(`${where}: the next contact`, text.endsWith(wanted), true)
          learn('step', recovery.nextAction, text.slice(0, text.length - wanted.length), where)
        }
      } else learn('reason', recovery.reasonCode, next!.text, where)
    }
  }

  /** The four sums, and the parts of the bar as long as theirs. */
  function account(
    { dueCents, notDueCents, promisedCents, disputedCents, ageing }: NonNullable<Debtor['account']>,
    sums: Drawn,
    bar: Drawn | undefined,
  ): void {
    const shown = sums.in.map(({ in: [, value] }) => cents(value!.in[0]!.text))
    same('the sums of a debtor', shown, [dueCents, notDueCents, promisedCents, disputedCents])
    compared.rows++
    const said = (ageing ?? []).map(({ openCents }) => openCents).filter(sum => sum > 0)
    const parts = below(bar ?? { tag: '', at: {}, text: '', in: [] }).map(({ at }) =>
      Number(/flex-grow: ([\d.]+)/.exec(at.style ?? '')?.[1] ?? 'NaN'),
    )
    same('the bar of ages', parts, said)
    compared.bars += said.length
  }

  function ribbon(answer: Today, picture: Drawn, twin: Drawn, form: 'wide' | 'narrow' = 'wide'): void {
    const step = form === 'wide' ? hour / 4 : hour
    const from = Date.parse(answer.axis.from)
    const binOf = (at: string) => from + Math.floor((Date.parse(at) - from) / step) * step
    const counts = new Map<string, number>()
    for (const { at, channel, left, planned } of answer.slots)
      for (const [kind, n] of [
        ['left', left],
        ['planned', planned],
      ] as const)
        if (n > 0) {
          const key = `${new Date(binOf(at)).toISOString()} ${kind} ${channel}`
          counts.set(key, (counts.get(key) ?? 0) + n)
        }
    const columns = below(picture).filter(({ at }) => at['data-from'])
    const bars = columns.flatMap(column =>
      below(column)
        .filter(({ at }) => at['data-n'] !== undefined)
        .map(bar => ({
          key: `${column.at['data-from']} ${bar.at['data-mark']}`,
          n: number(bar, 'data-n'),
          bar,
        })),
    )
    same(
      'the ribbon',
      bars.map(({ key, n }) => `${key} ${n}`).sort(),
      [...counts].map(([key, n]) => `${key} ${n}`).sort(),
    )
    compared.bars += bars.length
    // Two bars differ in height as their numbers do, except where one is so small that it is drawn larger.
    const high = bars.filter(({ bar }) => number(bar, 'height') > 3)
    const unit = high[0] ? number(high[0].bar, 'height') / high[0].n : 0
    for (const { key, n, bar } of high)
      if (!isNear(number(bar, 'height'), n * unit, 0.5)) faults.push(`${key}: ${bar.at.height} high for ${n}`)
    // Bars stand where their quarter hour is on the axis, one upon another.
    const places = bars.map(({ key, bar }) => ({ at: Date.parse(key.split(' ')[0]!), x: number(bar, 'x') }))
    const [first, last] = [places[0], places.findLast(({ at }) => at !== places[0]!.at)]
    for (const { at, x } of first && last ? places : []) {
      const expected = first!.x + ((at - first!.at) / (last!.at - first!.at)) * (last!.x - first!.x)
      if (!isNear(x, expected, 1.5))
        faults.push(`${new Date(at).toISOString()}: a bar at ${x}, not at ${expected}`)
    }
    for (const column of columns) {
      const heights = below(column).filter(({ at }) => at['data-n'] !== undefined)
      for (const [i, bar] of heights.entries())
        if (i > 0 && number(bar, 'y') + number(bar, 'height') > number(heights[i - 1]!, 'y'))
          faults.push(`${column.at['data-from']}: two bars overlap`)
    }
    const rows = rowsOf(twin).map(cells => cells.map(({ text }) => plain(text)))
    same(
      'the table of the ribbon',
      rows.map(([time, channel, ...numbers]) => [time, channel, ...numbers.map(cents)]),
      answer.slots.map(({ at, channel, planned, sent, delivered, bounced, failed, unknown }) => [
        clock(Date.parse(at), answer.timeZone),
        channelWords[channel],
        planned,
        sent,
        delivered,
        bounced,
        failed,
        unknown,
      ]),
    )
    compared.rows += rows.length
  }

  return { faults, compared, calendar, ladder, balance, account, ribbon }
}

interface Span {
  readonly start: number
  readonly end: number
  readonly pattern: string
}

/** Neighbours of one kind as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last?.pattern === span.pattern && isNear(last.end, span.start, 1_000))
      all[all.length - 1] = { ...last, end: span.end }
    else all.push(span)
  }
  return all
}
