import type { Today } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { type Place, usePlace } from '../../lib/api.ts'
import { clockTime, count, money, otherClock } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { localTime } from '../../lib/zone.ts'
import { ChannelIcon } from '../../ui/channel-icon.tsx'
import { words } from './words.ts'

const quarterMs = 15 * 60_000

/** The list of debtors whose next contact is between two quarter hours, the earliest first. */
export const contactsBetween = (
  { company, environment }: Pick<Place, 'company' | 'environment'>,
  nextFrom: string,
  nextTo: string,
) => ({
  to: '/$company/$environment/debtors' as const,
  params: { company, environment },
  search: { nextFrom, nextTo, sortBy: 'next_contact' },
})

/** The same of a day. Its axis covers every message; the API names the last quarter hour by its begin. */
export const contactsOf = (place: Pick<Place, 'company' | 'environment'>, { axis }: Pick<Today, 'axis'>) =>
  contactsBetween(place, axis.from, new Date(Date.parse(axis.until) - quarterMs).toISOString())

interface Props {
  readonly day: Today
  /** As many as the screen has room for. */
  readonly most: number
}

/** Who is contacted next on a day, and when. */
export function LeavingRows({ day, most }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const place = usePlace()
  const { leaving, totals, slots, stopped } = day
  if (leaving === null) return null
  const shown = leaving.slice(0, most)
  if (totals.planned === 0) {
    // The picture of a day without any message says so itself.
    const isToday = day.date === localTime(Date.parse(day.now), day.timeZone).date
    return isToday && slots.length > 0 && !stopped && <p className="mt-3 text-soft">{text.nothingLeaves}</p>
  }
  return (
    <>
      <ol aria-label={text.leavingRows} className="-mx-4 mt-3 last:-mb-4">
        {shown.map(row => (
          <Row key={row.debtorId} row={row} day={day} />
        ))}
      </ol>
      {totals.planned !== shown.length && (
        <p className="-mx-4 -mb-4 border-t border-line px-4 py-1">
          <Link
            {...contactsOf(place, day)}
            className="inline-flex min-h-9 items-center text-brand underline-offset-2 hover:underline"
          >
            {text.allLeaving(totals.planned, count(totals.planned, language))}
          </Link>
        </p>
      )}
    </>
  )
}

type Leaving = NonNullable<Today['leaving']>[number]

function Row({ row, day }: { readonly row: Leaving; readonly day: Today }) {
  const known = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const { debtorId, name, city, timeZone, openCents, contact } = row
  const clocks = { home: day.timeZone, local: timeZone ?? day.timeZone, place: city ?? name }
  const there = otherClock(contact.at, clocks, language)
  return (
    <li className="relative grid min-h-9 grid-cols-[2.75rem_1rem_minmax(0,1fr)_auto] items-center gap-x-2.5 border-t border-line px-4 hover:bg-calm has-[:focus-visible]:bg-calm max-md:py-1.5 md:grid-cols-[2.75rem_1rem_minmax(0,1fr)_auto_5.5rem]">
      <time dateTime={contact.at} className="text-soft">
        {clockTime(contact.at, day.timeZone)}
      </time>
      <ChannelIcon channel={contact.channel} name={known.channels[contact.channel]} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 break-words">
        {/* The whole row is the target. */}
        <Link
          to="/$company/$environment/debtors/$id"
          params={{ company, environment, id: debtorId }}
          className="inline-flex min-h-6 items-center after:absolute after:inset-0"
        >
          {name}
        </Link>
        {there !== null && <span className="text-mark text-soft">{there}</span>}
      </span>
      <span className="text-right text-soft max-md:order-1 max-md:col-[3/-1] max-md:text-left max-md:text-mark">
        {known.steps[contact.step]}
      </span>
      <span className="text-right whitespace-nowrap">{money(openCents, day.currency, language)}</span>
    </li>
  )
}
