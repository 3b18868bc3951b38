import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { subjectOfDebtor } from '../features/acts/acts.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { Balance } from '../features/debtor/balance.tsx'
import { DebtorHead, SamePerson, usePlaceLine } from '../features/debtor/head.tsx'
import { calendarQuery, debtorInvoicesQuery, debtorQuery } from '../features/debtor/queries.ts'
import { ScoreSheet } from '../features/debtor/score-sheet.tsx'
import { words } from '../features/debtor/words.ts'
import { Timeline } from '../features/timeline/timeline.tsx'
import { useApi } from '../lib/api.ts'
import { useWords } from '../lib/language.tsx'
import { useSearchText } from '../lib/search.ts'
import { useTitle } from '../lib/title.ts'
import { addDays } from '../lib/zone.ts'
import { Failure } from '../ui/failure.tsx'
import { Calendar } from '../ui/picture/calendar.tsx'
import { Sheet } from '../ui/sheet.tsx'

const MessageDialog = lazy(() => import('../features/timeline/message-dialog.tsx'))

/** Four requests, sent together: the record, the calendar, the invoices and the timeline. */
export default function DebtorScreen() {
  const { id } = useParams({ from: '/$company/$environment/debtors/$id' })
  const [from, setFrom] = useSearchText('from')
  const [message, setMessage] = useSearchText('message')
  const api = useApi()
  const head = useQuery(debtorQuery(api, id))
  const calendar = useQuery(calendarQuery(api, id, from))
  const invoices = useQuery(debtorInvoicesQuery(api, id))
  const text = useWords(words)
  useTitle(head.data?.name)
  if (head.error && !head.data) return <Failure error={head.error} onRetry={() => void head.refetch()} />
  const timeZone = head.data?.timeZone ?? calendar.data?.timeZone ?? 'Europe/Paris'
  return (
    <div className="flex flex-col gap-4">
      {head.data ? (
        <DebtorHead debtor={head.data}>
          <ActsMenu subject={subjectOfDebtor(head.data)} />
        </DebtorHead>
      ) : (
        <Place className="min-h-48" />
      )}
      {head.data && <SamePerson debtor={head.data} />}
      <Sheet title={text.calendar} className="min-h-[24rem]">
        {calendar.data && head.data && (
          <CalendarOf
            debtor={head.data}
            calendar={calendar.data}
            onMove={days => setFrom(addDays(calendar.data.days[0]!.date, days))}
            onOpen={setMessage}
          />
        )}
      </Sheet>
      {invoices.data ? <Balance page={invoices.data} timeZone={timeZone} /> : <Place className="min-h-48" />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Timeline
          kind="debtor"
          id={id}
          timeZone={timeZone}
          planned={(calendar.data?.planned ?? []).map(({ at, channel, action, shifts }) => ({
            at,
            channel,
            action,
            because: shifts.map(({ because }) => because),
          }))}
          onOpen={setMessage}
        />
        <ScoreSheet id={id} />
      </div>
      {message && (
        <Suspense fallback={null}>
          <MessageDialog id={message} timeZone={timeZone} onClose={() => setMessage(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function CalendarOf({
  debtor,
  ...rest
}: { debtor: Parameters<typeof usePlaceLine>[0] } & Omit<Parameters<typeof Calendar>[0], 'place'>) {
  return <Calendar {...rest} place={usePlaceLine(debtor)} />
}

/** Keeps the room of what is on its way. */
const Place = ({ className }: { className: string }) => (
  <div aria-busy="true" className={`rounded-sheet border border-line bg-sheet ${className}`} />
)
