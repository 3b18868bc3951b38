import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { FirstDay } from '../features/first-day/first-day.tsx'
import { SendingButton } from '../features/sending/sending-button.tsx'
import { Held, Queues } from '../features/today/causes.tsx'
import { DataAge } from '../features/today/data-age.tsx'
import { DayFigures, DayHead } from '../features/today/day-head.tsx'
import { todayQuery, useApi, usePlace } from '../lib/api.ts'
import { Failure } from '../ui/failure.tsx'
import { Ribbon } from '../ui/picture/ribbon.tsx'
import { type Column, endOfQuarter } from '../ui/picture/ribbon-layout.ts'

/** One request: planned messages and, of today, held invoices with their causes and the queues. */
export default function Today() {
  const { date } = useSearch({ from: '/$company/$environment/' })
  const { company, environment } = usePlace()
  const { data, error, refetch, dataUpdatedAt } = useQuery(todayQuery(useApi(), date))
  const router = useRouter()
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Waiting />
  const params = { company, environment }
  const listOf = ({ from, to, hasPlanned }: Column) =>
    router.buildLocation(
      hasPlanned
        ? { to: '/$company/$environment/invoices', params, search: { nextFrom: from, nextTo: to } }
        : {
            to: '/$company/$environment/messages',
            params,
            search: { sentFrom: from, sentTo: endOfQuarter(to) },
          },
    ).href
  return (
    <div className="flex flex-col gap-4">
      <DayHead today={data}>
        <SendingButton />
      </DayHead>
      {error && <DataAge since={dataUpdatedAt} />}
      <section className="rounded-sheet border border-line bg-sheet p-4">
        <DayFigures today={data} />
        <div className="mt-3">
          <Ribbon ribbon={data} listOf={listOf} onOpen={address => router.history.push(address)} />
        </div>
      </section>
      {data.queues && data.held && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Queues queues={data.queues} currency={data.currency} />
          <Held held={data.held} currency={data.currency} />
        </div>
      )}
      <FirstDay begun={data.begun} />
    </div>
  )
}

/** As high as a screen, so that nothing moves when the answer comes. */
const Waiting = () => <div aria-busy="true" className="min-h-[45rem]" />
