import type { Today } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { count, fullDay, money, weekday } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { useTitle } from '../../lib/title.ts'
import { addDays, localTime } from '../../lib/zone.ts'
import { buttonClass } from '../../ui/button.tsx'
import { contactsOf } from './leaving.tsx'
import { type Trouble, words } from './words.ts'

/** The day, with links to the previous and the next one; the actions are at the right. */
export function DayHead({ today, children }: { readonly today: Today; readonly children?: ReactNode }) {
  const text = useWords(words)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const { date, now, timeZone } = today
  const current = localTime(Date.parse(now), timeZone).date
  const isToday = date === current
  const linkTo = (day: string) => ({
    to: '/$company/$environment' as const,
    params: { company, environment },
    search: day === current ? {} : { date: day },
  })
  const midnight = `${date}T00:00:00Z`
  const longName = fullDay(midnight, 'UTC', language)
  useTitle(isToday ? text.today : longName)
  const arrow = `${buttonClass('quiet')} w-9 px-0`
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:w-full max-md:justify-between">
        <h1 className="text-screen font-[650]">
          {isToday && text.today}{' '}
          <span className={isToday ? 'font-normal text-soft' : 'inline-block first-letter:uppercase'}>
            <span className="max-md:hidden">{longName}</span>
            <span className="md:hidden">{weekday(midnight, 'UTC', language)}</span>
          </span>
        </h1>
        <nav aria-label={text.days} className="flex items-center print:hidden">
          <Link {...linkTo(addDays(date, -1))} aria-label={text.previousDay} className={arrow}>
            <span aria-hidden="true">‹</span>
          </Link>
          <Link {...linkTo(addDays(date, 1))} aria-label={text.nextDay} className={arrow}>
            <span aria-hidden="true">›</span>
          </Link>
          {!isToday && (
            <Link {...linkTo(current)} className={buttonClass('quiet')}>
              {text.backToToday}
            </Link>
          )}
        </nav>
      </div>
      {/* As high as the button, which appears once the permissions are known. */}
      <div className="min-h-9">{children}</div>
    </header>
  )
}

const troubles = ['bounced', 'failed', 'unknown'] as const

/** Messages planned, messages sent, and money received. A day to come has only what is planned. */
export function DayFigures({ today }: { readonly today: Today }) {
  const { totals, axis, collectedCents, currency, stopped } = today
  const place = usePlace()
  const { company, environment } = place
  // The axis covers all messages sent on the day.
  const messagesOf = (state?: Trouble) => ({
    to: '/$company/$environment/messages' as const,
    params: { company, environment },
    search: { sentFrom: axis.from, sentTo: axis.until, ...(state && { state }) },
  })
  const text = useWords(words)
  const language = useLanguage()
  const wrong = troubles.flatMap(state => {
    const n = totals[state] ?? 0
    return n > 0 ? [{ state, n }] : []
  })
  return (
    <section
      aria-label={text.figures}
      className="flex flex-wrap items-baseline gap-x-8 gap-y-2 max-md:gap-x-6"
    >
      {totals.planned > 0 ? (
        <Link {...contactsOf(place, today)} className="rounded-control hover:underline">
          <Figure value={count(totals.planned, language)} name={text.planned(totals.planned)} />
        </Link>
      ) : (
        <Figure value={count(totals.planned, language)} name={text.planned(totals.planned)} />
      )}
      {totals.left !== null && (
        <Link {...messagesOf()} className="rounded-control hover:underline">
          <Figure value={count(totals.left, language)} name={text.left(totals.left)} />
        </Link>
      )}
      {stopped && <p className="font-medium text-alarm">{text.stopped[stopped.because]}</p>}
      {wrong.length > 0 && (
        <p className="text-alarm">
          <span aria-hidden="true">▲ </span>
          {wrong.map(({ state, n }, i) => (
            <Fragment key={state}>
              {i > 0 && ', '}
              <Link {...messagesOf(state)} className="underline">
                {text.troubles[state](n, count(n, language))}
              </Link>
            </Fragment>
          ))}
        </p>
      )}
      {collectedCents !== null && (
        <p className="ml-auto text-right max-md:ml-0 max-md:text-left">
          <span className="text-amount font-[650] whitespace-nowrap">
            {money(collectedCents, currency, language)}
          </span>{' '}
          <span className="text-soft">{text.collected}</span>
        </p>
      )}
    </section>
  )
}

function Figure({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <p className="whitespace-nowrap">
      <span className="text-screen font-[650]">{value}</span> <span className="text-soft">{name}</span>
    </p>
  )
}
