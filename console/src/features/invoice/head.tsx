import type { Invoice } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { day, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { standingChips } from '../../lib/standing.ts'
import { Chip } from '../../ui/chip.tsx'
import { words } from './words.ts'

/** Which invoice, of whom, what is open, and what holds it. */
export function InvoiceHead({ invoice, children }: { invoice: Invoice; children?: ReactNode }) {
  const text = useWords(words)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const { debtor, recovery } = invoice
  return (
    <header className="rounded-sheet border border-line bg-sheet p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-screen font-[650] break-words">{text.invoice(invoice.invoiceNumber)}</h1>
          <p>
            <Link
              to="/$company/$environment/debtors/$id"
              params={{ company, environment, id: debtor.id }}
              className="inline-block min-h-6 text-brand underline"
            >
              {debtor.name}
            </Link>
          </p>
          <p className="text-soft">
            {[
              text.issued(day(invoice.issueDate, language)),
              text.due(day(invoice.dueDate, language)),
              ...(recovery ? [text.overdue(recovery.daysOverdue)] : []),
            ].join(' · ')}
          </p>
          <Filed invoice={invoice} />
          <div className="mt-2 flex flex-wrap gap-2">
            {standingChips(invoice, language).map(({ text: chip, tone, sign }) => (
              <Chip key={chip} tone={tone} sign={sign}>
                {chip}
              </Chip>
            ))}
          </div>
        </div>
        <div className="flex items-end gap-2 max-md:w-full max-md:justify-between md:flex-col">
          <p className="md:text-right">
            <span className="block text-head text-soft">{text.balance}</span>
            <span className="text-amount font-[650]">
              {money(invoice.balanceCents, invoice.currency, language)}
            </span>
          </p>
          {children}
        </div>
      </div>
    </header>
  )
}

/** After the amicable stage: what was filed or served. The program files nothing by itself. */
function Filed({ invoice: { acts, recovery } }: { invoice: Invoice }) {
  const text = useWords(words)
  const language = useLanguage()
  const mayBeFiled = acts?.some(({ act, allowed }) => act === 'file' && allowed)
  if (!recovery || !mayBeFiled) return null
  const { filedOn, servedOn } = recovery
  return (
    <p className="mt-1 font-medium">
      {[
        text.amicableEnded,
        filedOn === null ? text.nothingFiled : text.filedOn(day(filedOn, language)),
        ...(servedOn === null ? [] : [text.servedOn(day(servedOn, language))]),
      ].join(' ')}
    </p>
  )
}
