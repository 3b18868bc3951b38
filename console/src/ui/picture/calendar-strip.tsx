import type { ContactCalendar } from '@relance/sdk'
import { useId } from 'react'
import { daysOfWeek } from '../../lib/date-names.ts'
import { type Clocks, placedMoment, weekday } from '../../lib/format.ts'
import { defineWords, useLanguage, useWords } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import { weekdayOf } from '../../lib/zone.ts'
import { contactCause, patternOf, signs } from './contact-signs.ts'
import { ContactMark } from './marks.tsx'
import { Patterns, patternUrl } from './patterns.tsx'
import { Picture } from './picture.tsx'

const words = defineWords(
  {
    label: 'Quatorze jours, autour d’aujourd’hui',
    heads: { day: 'Jour', what: 'Ce qui est possible' },
    open: 'ouvert',
    today: 'aujourd’hui',
    closed: (because: string) => `fermé\u00a0: ${because}`,
    made: (channel: string, state: string) => `${channel}, ${state}`,
    planned: (channel: string) => `${channel} prévu`,
    openNow: 'Peut être contacté maintenant.',
    closedUntil: (moment: string, because: string) => `Fermé jusqu’à ${moment} (${because}).`,
    closedBecause: (because: string) => `Fermé\u00a0: ${because}.`,
    stopped: (because: string) => `Rien ne part en ce moment\u00a0: ${because}.`,
  },
  {
    label: 'Fourteen days, around today',
    heads: { day: 'Day', what: 'What is possible' },
    open: 'open',
    today: 'today',
    closed: because => `closed: ${because}`,
    made: (channel, state) => `${channel}, ${state}`,
    planned: channel => `${channel} planned`,
    openNow: 'May be contacted now.',
    closedUntil: (moment, because) => `Closed until ${moment} (${because}).`,
    closedBecause: because => `Closed: ${because}.`,
    stopped: because => `Nothing is sent at the moment: ${because}.`,
  },
)

const daysShown = 14
const daysBack = 7
const top = 34
const height = 36
const gap = 2

type Day = ContactCalendar['days'][number]
type Piece = ContactCalendar['channels'][number]['pieces'][number]

/** The pieces of a channel within a span. */
const within = (pieces: readonly Piece[], from: string, until: string) =>
  pieces.filter(
    piece => Date.parse(piece.from) < Date.parse(until) && Date.parse(piece.until) > Date.parse(from),
  )

/** Why no channel is open in a span; null where one is. */
function closedIn({ channels }: ContactCalendar, from: string, until: string) {
  const found = channels.flatMap(({ pieces }) => within(pieces, from, until))
  if (found.length === 0 || found.some(({ allowed }) => allowed)) return null
  return contactCause(found.map(({ because }) => because))
}

/** The days around today, each open or closed as a whole, with what was done and what is planned; opens to the whole calendar. */
export function CalendarStrip({
  calendar,
  clocks,
}: {
  readonly calendar: ContactCalendar
  readonly clocks: Clocks
}) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const prefix = useId()
  const zone = calendar.timeZone ?? 'Europe/Paris'
  const today = calendar.days.findIndex(({ isToday }) => isToday)
  const first = Math.max(0, today - daysBack)
  const days = calendar.days.slice(first, first + daysShown).map(day => {
    const isHere = ({ at }: { at: string }) => at >= day.from && at < day.until
    return {
      day,
      because: closedIn(calendar, day.opens, day.closes),
      made: calendar.contacts.filter(isHere).at(-1),
      planned: calendar.planned.find(isHere),
    }
  })
  const tellOf = ({ day, because, made, planned }: (typeof days)[number]): [string, string] => {
    const name = weekday(day.opens, zone, language)
    return [
      day.isToday ? `${name} (${text.today})` : name,
      [
        because === null ? text.open : text.closed(known.reasons[because]),
        made && text.made(known.channels[made.channel], nameOf(known.historyStatuses, made.state, '')),
        planned?.channel && text.planned(known.channels[planned.channel]),
      ]
        .filter(Boolean)
        .join(' · '),
    ]
  }
  return (
    <>
      <Picture
        label={text.label}
        table={() => ({ columns: [text.heads.day, text.heads.what], rows: days.map(tellOf) })}
      >
        {width => {
          const cell = width / daysShown
          return (
            <svg
              role="img"
              aria-label={days.map(day => tellOf(day).join(' : ')).join(', ')}
              width={width}
              height={top + height + 2}
              viewBox={`0 0 ${width} ${top + height + 2}`}
              className="mt-2 block max-w-full print:h-auto"
            >
              <Patterns
                prefix={prefix}
                used={[...new Set(days.flatMap(({ because }) => (because ? [patternOf(because)] : [])))]}
              />
              {days.map(({ day, because, made, planned }, i) => (
                <g key={day.date} data-day={day.date} data-because={because ?? undefined}>
                  <DayName
                    day={day}
                    x={(i + 0.5) * cell}
                    letter={daysOfWeek[language].short[weekdayOf(day.date) - 1]![0]!}
                  />
                  <rect
                    x={i * cell + gap / 2}
                    y={top}
                    width={cell - gap}
                    height={height}
                    rx={4}
                    strokeWidth={day.isToday ? 2 : 1}
                    {...(because && { fill: patternUrl(prefix, patternOf(because)) })}
                    className={`${because ? '' : 'fill-sheet forced-colors:fill-[Canvas]'} ${
                      day.isToday
                        ? 'stroke-ink forced-colors:stroke-[Highlight]'
                        : 'stroke-line forced-colors:stroke-[GrayText]'
                    }`}
                  />
                  {(made || planned?.channel) && (
                    <ContactMark
                      x={(i + 0.5) * cell}
                      y={top + height / 2}
                      radius={7}
                      channel={made ? made.channel : planned!.channel}
                      sign={made ? signs[made.state] : null}
                    />
                  )}
                </g>
              ))}
            </svg>
          )
        }}
      </Picture>
      <p className="mt-2">
        <Now calendar={calendar} clocks={clocks} />
      </p>
    </>
  )
}

/** Whether somebody may be contacted now, or from when on. */
function Now({ calendar, clocks }: { readonly calendar: ContactCalendar; readonly clocks: Clocks }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { now, channels, stopped } = calendar
  if (stopped !== null)
    return <strong className="font-[650] text-alarm">{text.stopped(known.reasons[stopped])}</strong>
  const coming = channels.flatMap(({ pieces }) => pieces.filter(({ until }) => until > now))
  const opens = coming
    .filter(({ allowed }) => allowed)
    .map(({ from }) => (from > now ? from : now))
    .toSorted()[0]
  if (opens === now) return <span>{text.openNow}</span>
  const because = contactCause(
    coming.filter(({ from, allowed }) => from <= now && !allowed).map(one => one.because),
  )
  const why = because === null ? '' : known.reasons[because]
  return (
    <strong className="font-[650]">
      {opens === undefined
        ? text.closedBecause(why)
        : text.closedUntil(placedMoment(opens, clocks, language), why)}
    </strong>
  )
}

function DayName({ day, x, letter }: { readonly day: Day; readonly x: number; readonly letter: string }) {
  const colour = day.isToday ? 'fill-ink font-bold' : 'fill-soft'
  return (
    <g textAnchor="middle" aria-hidden>
      <text x={x} y={11} className="fill-soft text-[0.6875rem]">
        {letter.toUpperCase()}
      </text>
      <text x={x} y={27} className={`text-mark ${colour}`}>
        {Number(day.date.slice(8))}
      </text>
    </g>
  )
}
