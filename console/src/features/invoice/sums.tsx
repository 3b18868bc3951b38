import type { Invoice, Page, PaymentOfInvoice } from '@relance/sdk'
import { day, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { DataTable } from '../../ui/table.tsx'
import { words } from './words.ts'

/** The principal, and what late payment adds to it, each sum apart and with its basis. */
export function Sums({ invoice }: { invoice: Invoice }) {
  const text = useWords(words)
  const language = useLanguage()
  const { currency, latePayment, recovery } = invoice
  const sum = (cents: number) => money(cents, currency, language)
  return (
    <Sheet title={text.sums}>
      <h3 className="text-head text-soft">{text.principal}</h3>
      <dl>
        <Line name={text.amount} value={sum(invoice.amountCents)} />
        <Line name={text.paid} value={sum(0 - invoice.paidCents)} />
        <Line name={text.credited} value={sum(0 - invoice.creditedCents)} />
        <Line name={text.balance} value={sum(invoice.balanceCents)} isTotal />
        {recovery?.disputedCents != null && <Line name={text.disputed} value={sum(recovery.disputedCents)} />}
        {invoice.overpaidCents > 0 && <Line name={text.overpaid} value={sum(invoice.overpaidCents)} />}
      </dl>
      <h3 className="mt-4 text-head text-soft">{text.late}</h3>
      {latePayment.status === 'none' ? (
        <p>{text.lateStatuses.none}</p>
      ) : (
        <dl>
          {recovery?.claimed.map(({ kind, amountCents, basis }) => (
            <Line key={kind} name={text.kinds[kind]} about={basis} value={sum(amountCents)} />
          ))}
          <Line name={text.latePaid} value={sum(0 - latePayment.paidCents)} />
          <Line name={text.lateOwed} value={sum(latePayment.owedCents)} isTotal />
        </dl>
      )}
      {latePayment.waiver && (
        <p className="text-soft">
          {text.waived(latePayment.waiver.reason)} ({sum(latePayment.waiver.amountCents)})
        </p>
      )}
      {recovery && (
        <p className="mt-4 text-soft">
          {text.limitation(
            day(recovery.limitationEndsOn, language),
            text.limitationCauses[recovery.limitationBecause],
            day(recovery.limitationFrom, language),
          )}
          <span className="block text-mark">{text.limitationHint}</span>
        </p>
      )}
      {recovery?.filedOn && (
        <p className="text-soft">
          {text.filed} {day(recovery.filedOn, language)}
        </p>
      )}
      {recovery?.servedOn && (
        <p className="text-soft">
          {text.served} {day(recovery.servedOn, language)}
        </p>
      )}
    </Sheet>
  )
}

function Line({
  name,
  about,
  value,
  isTotal = false,
}: {
  name: string
  about?: string
  value: string
  isTotal?: boolean
}) {
  return (
    <div
      className={`flex items-baseline justify-between gap-4 border-t border-line py-1.5 ${isTotal ? 'font-[650]' : ''}`}
    >
      <dt>
        {name}
        {about && <span className="block text-mark text-soft">{about}</span>}
      </dt>
      <dd className="whitespace-nowrap">{value}</dd>
    </div>
  )
}

export function Payments({ page }: { page: Page<PaymentOfInvoice> }) {
  const text = useWords(words)
  const language = useLanguage()
  return (
    <Sheet title={text.payments}>
      <DataTable
        caption={text.payments}
        rows={page.data}
        rowKey={({ id }) => id}
        empty={text.noPayments}
        columns={[
          {
            key: 'date',
            head: text.date,
            cell: ({ paidAt, createdAt }) => day(paidAt ?? createdAt, language),
          },
          {
            key: 'method',
            head: text.method,
            cell: ({ method, instrument }) => text.methods[instrument ?? method],
          },
          { key: 'state', head: text.state, cell: ({ status }) => text.paymentStatuses[status] },
          {
            key: 'sum',
            head: text.sum,
            isNumber: true,
            cell: ({ amountCents, currency }) => money(amountCents, currency, language),
          },
        ]}
      />
    </Sheet>
  )
}
