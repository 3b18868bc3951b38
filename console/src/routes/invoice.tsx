import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { subjectOfInvoice } from '../features/acts/act-fields.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { InvoiceHead } from '../features/invoice/head.tsx'
import { invoiceQuery, paymentsQuery, planQuery } from '../features/invoice/queries.ts'
import { Payments, Sums } from '../features/invoice/sums.tsx'
import { words } from '../features/invoice/words.ts'
import { Timeline } from '../features/timeline/timeline.tsx'
import { timelineQuery } from '../features/timeline/timeline-query.ts'
import { companyQuery, useApi } from '../lib/api.ts'
import { useLanguage, useWords } from '../lib/language.tsx'
import { lazyPart } from '../lib/lazy-part.ts'
import { useSearchText } from '../lib/search.ts'
import { useTitle } from '../lib/title.ts'
import { Failure } from '../ui/failure.tsx'
import { Ladder } from '../ui/picture/ladder.tsx'
import { Sheet } from '../ui/sheet.tsx'

const MessageDialog = lazyPart(() => import('../features/timeline/message-dialog.tsx'))

const linesShown = 50

/**
 * Four requests, sent together: the invoice, its plan, its payments and its timeline. Shown when all of them are answered, so that
 * nothing moves.
 */
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
  const company = useQuery(companyQuery(api))
  const invoice = head.data
  useTitle(invoice?.invoiceNumber)
  const timeZone = invoice?.debtor.timeZone ?? 'Europe/Paris'
  const input = useMemo(
    () =>
      invoice && plan.data && payments.data && timeline.data
        ? {
            now: Date.parse(plan.data.now),
            timeZone,
            history: timeline.data.pages.flatMap(({ data }) => data),
            planned: plan.data.actions,
            pauses: plan.data.pauses,
            payments: payments.data.data,
            limitationEndsOn: invoice.recovery?.limitationEndsOn ?? null,
          }
        : null,
    [invoice, plan.data, payments.data, timeline.data, timeZone],
  )
  const failed = [head, plan, payments, timeline].find(({ error, data }) => error && !data)
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  if (!invoice || !plan.data || !payments.data || !input)
    return <div aria-busy="true" className="min-h-[45rem]" />
  return (
    <div className="flex flex-col gap-4">
      <InvoiceHead invoice={invoice}>
        <ActsMenu subject={subjectOfInvoice(invoice)} />
      </InvoiceHead>
      <Sheet title={text.ladder}>
        <Ladder input={input} onOpen={setMessage} />
      </Sheet>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Timeline
          kind="invoice"
          id={id}
          limit={linesShown}
          clocks={{
            home: company.data?.timeZone ?? timeZone,
            local: timeZone,
            place: invoice.debtor.city ?? invoice.debtor.name,
          }}
          planned={plan.data.actions.flatMap(({ scheduledAt, channel, action, skipped, shifts }) =>
            scheduledAt === null || skipped
              ? []
              : [{ at: scheduledAt, channel, action, because: shifts.map(({ because }) => because) }],
          )}
          onOpen={setMessage}
        />
        <div className="flex flex-col gap-4">
          <Sums invoice={invoice} />
          <Payments page={payments.data} />
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
