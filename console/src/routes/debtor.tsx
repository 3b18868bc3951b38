import type { Channel } from '@relance/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { subjectOfDebtor } from '../features/acts/act-fields.ts'
import { messageToDebtor } from '../features/acts/acts.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { Balance } from '../features/debtor/balance.tsx'
import { DebtorHead, SamePerson } from '../features/debtor/head.tsx'
import { People } from '../features/debtor/people.tsx'
import { calendarQuery, debtorInvoicesQuery, debtorQuery } from '../features/debtor/queries.ts'
import { ScoreSheet } from '../features/debtor/score-sheet.tsx'
import { words } from '../features/debtor/words.ts'
import { Timeline } from '../features/timeline/timeline.tsx'
import { timelineQuery } from '../features/timeline/timeline-query.ts'
import { useApi, useMay } from '../lib/api.ts'
import { useLanguage, useWords } from '../lib/language.tsx'
import { lazyPart } from '../lib/lazy-part.ts'
import { useSearchText } from '../lib/search.ts'
import { useTitle } from '../lib/title.ts'
import { addDays, localMoment } from '../lib/zone.ts'
import { Failure } from '../ui/failure.tsx'
import { Calendar } from '../ui/picture/calendar.tsx'
import { Sheet } from '../ui/sheet.tsx'

const linesShown = 12

const ActDialog = lazyPart(() => import('../features/acts/act-dialog.tsx'))
const MessageDialog = lazyPart(() => import('../features/timeline/message-dialog.tsx'))

/**
 * Four requests, sent together: the record with its score, the calendar, the invoices and the timeline. Shown when all of them
 * are answered, so that nothing moves.
 */
export default function DebtorScreen() {
  const { id } = useParams({ from: '/$company/$environment/debtors/$id' })
  const [from, setFrom] = useSearchText('from')
  const [message, setMessage] = useSearchText('message')
  const [planned, setPlanned] = useState<{ channel: Channel; at: string } | null>(null)
  const api = useApi()
  const may = useMay()
  const language = useLanguage()
  const head = useQuery(debtorQuery(api, id, language))
  const calendar = useQuery(calendarQuery(api, id, from, language))
  const invoices = useQuery(debtorInvoicesQuery(api, id))
  const timeline = useInfiniteQuery(timelineQuery(api, 'debtor', id, language, linesShown))
  const text = useWords(words)
  useTitle(head.data?.name)
  const failed = [head, calendar, invoices, timeline].find(({ error, data }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!head.data || !calendar.data || !invoices.data || !timeline.data)
    return <div aria-busy="true" className="min-h-[45rem]" />
  const { name, city } = head.data
  const timeZone = head.data.timeZone ?? calendar.data.timeZone ?? 'Europe/Paris'
  const firstDay = calendar.data.days[0]!.date
  const numbers = new Map(invoices.data.data.map(invoice => [invoice.id, invoice.invoiceNumber]))
  return (
    <div className="flex flex-col gap-4">
      <DebtorHead debtor={head.data}>
        <ActsMenu subject={subjectOfDebtor(head.data)} />
      </DebtorHead>
      <SamePerson debtor={head.data} />
      <Sheet title={text.calendar}>
        <Calendar
          calendar={calendar.data}
          place={text.timeOf(city ?? name, timeZone)}
          onMove={days => setFrom(addDays(firstDay, days))}
          onOpen={setMessage}
          {...(may('workflow.communicate') && {
            onPlan: (channel: Channel, at: number) => setPlanned({ channel, at: localMoment(at, timeZone) }),
          })}
        />
      </Sheet>
      <Balance page={invoices.data} timeZone={timeZone} />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Timeline
          kind="debtor"
          id={id}
          timeZone={timeZone}
          limit={linesShown}
          numbers={numbers}
          planned={calendar.data.planned.map(({ at, channel, action, shifts, invoiceIds }) => ({
            at,
            channel,
            action,
            because: shifts.map(({ because }) => because),
            invoiceIds,
          }))}
          onOpen={setMessage}
        />
        <div className="flex min-w-0 flex-col gap-4">
          <People debtor={head.data} />
          {head.data.score && <ScoreSheet score={head.data.score} />}
        </div>
      </div>
      {planned && (
        <Suspense fallback={null}>
          <ActDialog
            act={messageToDebtor}
            subject={subjectOfDebtor(head.data)}
            given={planned}
            onClose={() => setPlanned(null)}
          />
        </Suspense>
      )}
      {message && (
        <Suspense fallback={null}>
          <MessageDialog id={message} timeZone={timeZone} onClose={() => setMessage(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
