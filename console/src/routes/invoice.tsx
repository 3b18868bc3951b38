import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { subjectOfInvoice } from '../features/acts/acts.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { InvoiceHead } from '../features/invoice/head.tsx'
import { invoiceQuery, paymentsQuery, planQuery } from '../features/invoice/queries.ts'
import { Payments, Sums } from '../features/invoice/sums.tsx'
import { words } from '../features/invoice/words.ts'
import { Timeline } from '../features/timeline/timeline.tsx'
import { timelineQuery } from '../features/timeline/timeline-query.ts'
import { clockQuery, useApi, usePlace } from '../lib/api.ts'
import { useLanguage, useWords } from '../lib/language.tsx'
import { useSearchText } from '../lib/search.ts'
import { useTitle } from '../lib/title.ts'
import { Failure } from '../ui/failure.tsx'
import { Ladder } from '../ui/picture/ladder.tsx'
import { Sheet } from '../ui/sheet.tsx'

const MessageDialog = lazy(() => import('../features/timeline/message-dialog.tsx'))

const linesShown = 50

/** Four requests, sent together: the invoice, its plan, its payments and its timeline. */
export default function InvoiceScreen() {
  const { id } = useParams({ from: '/$company/$environment/invoices/$id' })
  const [message, setMessage] = useSearchText('message')
  const api = useApi()
  const language = useLanguage()
  const text = useWords(words)
  const head = useQuery(invoiceQuery(api, id))
  const plan = useQuery(planQuery(api, id))
  const payments = useQuery(paymentsQuery(api, id))
  const timeline = useInfiniteQuery(timelineQuery(api, 'invoice', id, language, linesShown))
  const now = useNow()
  const invoice = head.data
  useTitle(invoice?.invoiceNumber)
  const timeZone = invoice?.debtor.timeZone ?? 'Europe/Paris'
  const input = useMemo(
    () =>
      invoice && plan.data && payments.data && timeline.data && now !== null
        ? {
            now,
            timeZone,
            history: timeline.data.pages.flatMap(({ data }) => data),
            planned: plan.data.actions,
            payments: payments.data.data,
            limitationOn: invoice.recovery?.limitationOn ?? null,
          }
        : null,
    [invoice, plan.data, payments.data, timeline.data, now, timeZone],
  )
  if (head.error && !invoice) return <Failure error={head.error} onRetry={() => void head.refetch()} />
  return (
    <div className="flex flex-col gap-4">
      {invoice ? (
        <InvoiceHead invoice={invoice}>
          <ActsMenu subject={subjectOfInvoice(invoice)} />
        </InvoiceHead>
      ) : (
        <Place className="min-h-40" />
      )}
      <Sheet title={text.ladder} className="min-h-80">
        {input && <Ladder input={input} onOpen={setMessage} />}
      </Sheet>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Timeline
          kind="invoice"
          id={id}
          limit={linesShown}
          timeZone={timeZone}
          planned={(plan.data?.actions ?? []).flatMap(({ scheduledAt, channel, action, skipped, shifts }) =>
            scheduledAt === null || skipped
              ? []
              : [{ at: scheduledAt, channel, action, because: shifts.map(({ because }) => because) }],
          )}
          onOpen={setMessage}
        />
        <div className="flex flex-col gap-4">
          {invoice ? <Sums invoice={invoice} /> : <Place className="min-h-80" />}
          {payments.data ? <Payments page={payments.data} /> : <Place className="min-h-32" />}
        </div>
      </div>
      {message && (
        <Suspense fallback={null}>
          <MessageDialog id={message} timeZone={timeZone} onClose={() => setMessage(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** The present of the environment. The frame of a sandbox reads the same clock: it is asked for once. */
function useNow(): number | null {
  const { environment } = usePlace()
  const clock = useQuery({ ...clockQuery(useApi()), enabled: environment === 'sandbox' })
  const opened = useMemo(() => Date.now(), [])
  if (environment === 'production') return opened
  return clock.data ? Date.parse(clock.data.now) : null
}

/** Keeps the room of what is on its way. */
const Place = ({ className }: { className: string }) => (
  <div aria-busy="true" className={`rounded-sheet border border-line bg-sheet ${className}`} />
)
