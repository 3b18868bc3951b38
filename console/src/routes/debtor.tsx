import type { Channel, Invoice } from '@relance/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type Subject, subjectOfDebtor, subjectOfInvoice } from '../features/acts/act-fields.ts'
import { type Act, acts } from '../features/acts/acts.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { Balance } from '../features/debtor/balance.tsx'
import { BottomActs, DebtorHead, SamePerson } from '../features/debtor/head.tsx'
import { Holds } from '../features/debtor/holds.tsx'
import { OutlookLine } from '../features/debtor/outlook.tsx'
import { People } from '../features/debtor/people.tsx'
import { calendarQuery, debtorInvoicesQuery, debtorQuery } from '../features/debtor/queries.ts'
import { Risk } from '../features/debtor/risk.tsx'
import { Situation } from '../features/debtor/situation.tsx'
import { DebtorSums } from '../features/debtor/sums.tsx'
import { words } from '../features/debtor/words.ts'
import { Timeline } from '../features/timeline/timeline.tsx'
import { timelineQuery } from '../features/timeline/timeline-query.ts'
import { companyQuery, useApi, useMay } from '../lib/api.ts'
import { useCommand } from '../lib/commands.ts'
import { useLanguage, useWords } from '../lib/language.tsx'
import { lazyPart } from '../lib/lazy-part.ts'
import { useSearchText } from '../lib/search.ts'
import { useTitle } from '../lib/title.ts'
import { addDays, localMoment } from '../lib/zone.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { CalendarStrip } from '../ui/picture/calendar-strip.tsx'
import { Sheet } from '../ui/sheet.tsx'

const linesShown = 12

const ActDialog = lazyPart(() => import('../features/acts/act-dialog.tsx'))
const WriteSheet = lazyPart(() => import('../features/acts/write-sheet.tsx'))
const AddressForm = lazyPart(() => import('../features/acts/address-form.tsx'))
const Calendar = lazyPart(async () => ({ default: (await import('../ui/picture/calendar.tsx')).Calendar }))
const MessageDialog = lazyPart(() => import('../features/timeline/message-dialog.tsx'))
const NoteForm = lazyPart(async () => ({
  default: (await import('../features/work/note-form.tsx')).NoteForm,
}))

interface Chosen {
  readonly act: Act
  readonly subject: Subject
}

/** Where and when, if it was chosen in the calendar. */
interface Writing {
  readonly channel?: Channel
  readonly at?: string
}

/**
 * Four requests, sent together: the record, the calendar, the invoices and the timeline. Shown when all of them are answered, so
 * that nothing moves.
 */
export default function DebtorScreen() {
  const { id } = useParams({ from: '/$company/$environment/debtors/$id' })
  const [from, setFrom] = useSearchText('from')
  const [message, setMessage] = useSearchText('message')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [writing, setWriting] = useState<Writing | null>(null)
  const [isCalendarOpen, setCalendarOpen] = useState(false)
  const [isNoting, setNoting] = useState(false)
  const api = useApi()
  const may = useMay()
  const language = useLanguage()
  const company = useQuery(companyQuery(api))
  const head = useQuery(debtorQuery(api, id, language))
  const calendar = useQuery(calendarQuery(api, id, from, language))
  const invoices = useQuery(debtorInvoicesQuery(api, id))
  const timeline = useInfiniteQuery(timelineQuery(api, 'debtor', id, language, linesShown))
  const text = useWords(words)
  const debtor = head.data
  useTitle(debtor?.name)

  const page = invoices.data?.data ?? []
  const hasOpen = page.some(({ balanceCents }) => balanceCents > 0)
  const disputed = page.find(({ recovery }) => recovery?.holds.includes('dispute'))
  const isFinished = page.some(({ recovery }) => recovery?.standing === 'decide')
  const examine = (invoice: Invoice) =>
    setChosen({ act: acts.find(({ key }) => key === 'resolve')!, subject: subjectOfInvoice(invoice) })
  const mayWrite = hasOpen && debtor?.contactable && !debtor.insolvency && may('workflow.communicate')
  useCommand('message', mayWrite ? () => setWriting({}) : null)
  useCommand('resolve-dispute', disputed ? () => examine(disputed) : null)
  useCommand('note', debtor ? () => setNoting(true) : null)

  const failed = [head, calendar, invoices, timeline].find(({ error, data }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!debtor || !calendar.data || !invoices.data || !timeline.data || !company.data)
    return <div aria-busy="true" className="min-h-[45rem]" />
  const { name, city, account } = debtor
  const timeZone = debtor.timeZone ?? calendar.data.timeZone ?? 'Europe/Paris'
  const clocks = { home: company.data.timeZone, local: timeZone, place: city ?? name }
  const firstDay = calendar.data.days[0]!.date
  const numbers = new Map(page.map(invoice => [invoice.id, invoice.invoiceNumber]))
  const isOpen = isCalendarOpen || from !== undefined
  return (
    <div className="flex flex-col gap-4 max-md:pb-16">
      <DebtorHead debtor={debtor} clocks={clocks} isFinished={isFinished}>
        <ActsMenu subject={subjectOfDebtor(debtor)} isShort />
      </DebtorHead>
      <OutlookLine outlook={calendar.data.outlook} clocks={clocks} />
      <Situation debtor={debtor} />
      <SamePerson debtor={debtor} />
      {isOpen && (
        <Sheet
          title={text.calendar}
          aside={
            <Button
              aria-expanded
              onClick={() => {
                setCalendarOpen(false)
                if (from !== undefined) setFrom(undefined)
              }}
            >
              {text.closeCalendar}
            </Button>
          }
        >
          <Suspense fallback={<div className="min-h-96" />}>
            <Calendar
              calendar={calendar.data}
              place={text.timeOf(city ?? name, timeZone)}
              onMove={days => setFrom(addDays(firstDay, days))}
              onOpen={setMessage}
              {...(may('workflow.communicate') && {
                onPlan: (channel: Channel, at: number) =>
                  setWriting({ channel, at: localMoment(at, timeZone) }),
              })}
            />
          </Suspense>
        </Sheet>
      )}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          {account && <DebtorSums account={account} />}
          <Balance account={account} page={invoices.data} clocks={clocks} now={calendar.data.now} />
          <Timeline
            kind="debtor"
            id={id}
            clocks={clocks}
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
          >
            {may('debtors.addNote') && (
              <div className="mb-3">
                {isNoting ? (
                  <Suspense fallback={<div className="min-h-60" />}>
                    <NoteForm debtor={debtor} onClose={() => setNoting(false)} />
                  </Suspense>
                ) : (
                  <button
                    type="button"
                    className="min-h-9 w-full rounded-control border border-edge bg-sheet px-3 py-1.5 text-left text-soft hover:bg-calm"
                    onClick={() => setNoting(true)}
                  >
                    {text.noteLabel}
                  </button>
                )}
              </div>
            )}
          </Timeline>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <People debtor={debtor} addressForm={AddressForm} />
          <Holds
            debtor={debtor}
            invoices={page}
            onExamine={may('invoices.resolveDispute') ? examine : undefined}
          />
          {account && <Risk account={account} />}
          {!isOpen && (
            <Sheet
              title={text.calendar}
              aside={
                <Button
                  aria-expanded={false}
                  onClick={() => {
                    setCalendarOpen(true)
                    document.getElementById('main')?.scrollIntoView({ block: 'start' })
                  }}
                >
                  {text.openCalendar}
                </Button>
              }
            >
              <CalendarStrip calendar={calendar.data} clocks={clocks} />
            </Sheet>
          )}
        </div>
      </div>
      <BottomActs debtor={debtor} />
      {writing && (
        <Suspense fallback={null}>
          <WriteSheet subject={subjectOfDebtor(debtor)} given={writing} onClose={() => setWriting(null)} />
        </Suspense>
      )}
      {chosen && (
        <Suspense fallback={null}>
          <ActDialog act={chosen.act} subject={chosen.subject} onClose={() => setChosen(null)} />
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
