import type { Today as Day } from '@relance/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { FirstDay } from '../features/first-day/first-day.tsx'
import { SendingButton } from '../features/sending/sending-button.tsx'
import { Held, Parked } from '../features/today/causes.tsx'
import { DataAge } from '../features/today/data-age.tsx'
import { DayFigures, DayHead } from '../features/today/day-head.tsx'
import { contactsBetween, LeavingRows } from '../features/today/leaving.tsx'
import { Sums } from '../features/today/sums.tsx'
import { words } from '../features/today/words.ts'
import { todayQuery, useApi, usePlace } from '../lib/api.ts'
import { useWords } from '../lib/language.tsx'
import { sumsQuery, workQuery, workSummaryQuery } from '../lib/work.ts'
import { Failure } from '../ui/failure.tsx'
import { Ribbon } from '../ui/picture/ribbon.tsx'
import { type Column, endOfQuarter } from '../ui/picture/ribbon-layout.ts'
import { OpenWork, Work } from './work.tsx'

/** What is sent on a day. Of today also what is to be done, and what is held. */
export default function Today() {
  const { date, ouvert: open, ...filters } = useSearch({ from: '/$company/$environment/' })
  const api = useApi()
  const text = useWords(words)
  const isToday = date === undefined
  const { data, error, refetch, dataUpdatedAt } = useQuery(todayQuery(api, date))
  const sums = useQuery({ ...sumsQuery(api), enabled: isToday })
  const work = [
    useInfiniteQuery({ ...workQuery(api, filters), enabled: isToday }),
    useQuery({ ...workSummaryQuery(api, filters), enabled: isToday }),
    sums,
  ]
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />
  // All of it at once, so that nothing moves.
  const isWorkKnown = !isToday || work.every(query => query.data) || work.some(query => query.error)
  if (!data || !isWorkKnown) return <Waiting />
  const isOpen = isToday && open !== undefined
  return (
    <>
      <div className={`flex flex-col gap-4 ${isOpen ? 'max-md:hidden min-[85rem]:mr-140' : ''}`}>
        <DayHead today={data}>
          <SendingButton />
        </DayHead>
        {error && <DataAge since={dataUpdatedAt} />}
        {isToday && sums.data && <Sums sums={sums.data} isNarrow={isOpen} />}
        {isToday ? (
          <div
            className={`grid items-start gap-4 ${isOpen ? '' : 'lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]'}`}
          >
            <Work today={data} filters={filters} open={open} />
            <div className="flex min-w-0 flex-col gap-4">
              <Leaving day={data} title={text.leaving} most={rowsBeside} />
              {data.queues && <Parked queues={data.queues} />}
              {data.held && <Held held={data.held} currency={data.currency} />}
            </div>
          </div>
        ) : (
          <Leaving
            day={data}
            title={data.totals.left === null ? text.leavingThen : text.leftThen}
            most={rowsAlone}
          />
        )}
        <FirstDay begun={data.begun} />
      </div>
      {isToday && <OpenWork today={data} filters={filters} open={open} />}
    </>
  )
}

/** Beside the list of work, and where there is nothing else. */
const [rowsBeside, rowsAlone] = [8, 20]

interface LeavingProps {
  readonly day: Day
  readonly title: string
  readonly most: number
}

/** What is planned and what has left, by quarter hour, and who is contacted next. */
function Leaving({ day, title, most }: LeavingProps) {
  const place = usePlace()
  const { company, environment } = place
  const router = useRouter()
  const listOf = ({ from, to, hasPlanned }: Column) =>
    router.buildLocation(
      hasPlanned
        ? contactsBetween(place, from, to)
        : {
            to: '/$company/$environment/messages',
            params: { company, environment },
            search: { sentFrom: from, sentTo: endOfQuarter(to) },
          },
    ).href
  return (
    <section className="min-w-0 rounded-sheet border border-line bg-sheet p-4">
      <h2 className="mb-2 text-section font-[650]">{title}</h2>
      <DayFigures today={day} />
      <div className="mt-3">
        <Ribbon ribbon={day} listOf={listOf} onOpen={address => router.history.push(address)} />
      </div>
      <LeavingRows day={day} most={most} />
    </section>
  )
}

/** As high as a screen, so that nothing moves when the answer comes. */
const Waiting = () => <div aria-busy="true" className="min-h-[45rem]" />
