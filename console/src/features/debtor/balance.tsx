import type { Debtor, Invoice, Page } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { type Clocks, clockText, day, money, weekday } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { standingLine } from '../../lib/standing.ts'
import { localTime } from '../../lib/zone.ts'
import { ChannelIcon } from '../../ui/channel-icon.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { AgeingBar } from './sums.tsx'
import { words } from './words.ts'

interface Props {
  readonly account: Debtor['account']
  readonly page: Page<Invoice>
  readonly clocks: Clocks
  /** The present, by the clock of the company. */
  readonly now: string
}

const tones = [
  [90, 'font-[650] text-age-4'],
  [60, 'font-[650] text-age-3'],
  [30, 'font-[650] text-warn'],
] as const
/** The later, the warmer. */
const toneOf = (days: number) => tones.find(([from]) => days > from)?.[1] ?? 'text-soft'

/** What is open by its age, and each invoice with where it stands and what comes next. On a phone each is a card. */
export function Balance({ account, page, clocks, now }: Props) {
  const text = useWords(words)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const numbers = new Map(page.data.map(({ id, invoiceNumber }) => [id, invoiceNumber]))
  const link = ({ id, invoiceNumber }: Invoice, className: string) => (
    <Link
      to="/$company/$environment/invoices/$id"
      params={{ company, environment, id }}
      className={`inline-block min-h-6 whitespace-nowrap ${className}`}
    >
      {invoiceNumber}
    </Link>
  )
  const late = ({ recovery, balanceCents }: Invoice) => {
    const days = recovery?.daysOverdue ?? 0
    return days > 0 && balanceCents > 0 ? (
      <span className={toneOf(days)}>{text.days(days)}</span>
    ) : (
      <span className="text-soft">{text.unknown}</span>
    )
  }
  const next = (invoice: Invoice) => (
    <NextContact invoice={invoice} clocks={clocks} now={now} numbers={numbers} />
  )
  const columns: Column<Invoice>[] = [
    { key: 'number', head: text.number, cell: invoice => link(invoice, 'text-brand underline') },
    { key: 'due', head: text.dueOn, isNumber: true, cell: ({ dueDate }) => day(dueDate, language) },
    { key: 'late', head: text.late, isNumber: true, cell: late },
    {
      key: 'balance',
      head: text.balance,
      isNumber: true,
      cell: ({ balanceCents, currency }) => (
        <strong className="font-[650]">{money(balanceCents, currency, language)}</strong>
      ),
    },
    { key: 'status', head: text.status, cell: invoice => standingLine(invoice, language) },
    { key: 'next', head: text.nextContact, cell: next },
  ]
  const open = account && (
    <span className="text-soft">
      {text.openInvoices(account.openInvoices, money(account.openCents, account.currency, language))}
    </span>
  )
  return (
    <Sheet title={text.invoices} aside={open}>
      {account && <AgeingBar account={account} />}
      <div className="max-md:hidden">
        <DataTable
          caption={text.invoicesCaption}
          columns={columns}
          rows={page.data}
          rowKey={({ id }) => id}
          empty={text.noInvoices}
        />
      </div>
      <ul className="-mx-4 border-line md:hidden">
        {page.data.map(invoice => (
          <li key={invoice.id} className="relative border-t border-line px-4 py-2 hover:bg-calm">
            <div className="flex items-baseline justify-between gap-3">
              {/* The whole card is the target. */}
              {link(invoice, 'font-medium after:absolute after:inset-0')}
              <strong className="font-[650] whitespace-nowrap">
                {money(invoice.balanceCents, invoice.currency, language)}
              </strong>
            </div>
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                {late(invoice)} · {standingLine(invoice, language)}
              </span>
              {next(invoice)}
            </div>
          </li>
        ))}
        {page.data.length === 0 && <li className="px-4 text-soft">{text.noInvoices}</li>}
      </ul>
      {page.pagination.hasNext && <p className="mt-2 text-soft">{text.moreInvoices(page.data.length)}</p>}
    </Sheet>
  )
}

/** The channel and the day; the hour only on the day itself, as the API announces it. */
function NextContact({
  invoice: { recovery },
  clocks,
  now,
  numbers,
}: Pick<Props, 'clocks' | 'now'> & {
  readonly invoice: Invoice
  readonly numbers: ReadonlyMap<string, string>
}) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  if (!recovery) return <span className="text-soft">{text.unknown}</span>
  const { holds, nextAction, nextActionAt: at, nextChannel, withInvoiceId, reasonCode } = recovery
  if (holds.length > 0) return <span className="text-soft">{text.held}</span>
  if (nextAction === null || at === null)
    return <span className="text-soft">{known.reasons[reasonCode]}</span>
  const dayOf = (moment: string) => localTime(Date.parse(moment), clocks.home).date
  const when = dayOf(at) === dayOf(now) ? clockText(at, clocks, language) : weekday(at, clocks.home, language)
  const carrier = withInvoiceId === null ? undefined : numbers.get(withInvoiceId)
  return (
    <span className="inline-flex items-center gap-x-1.5 text-soft">
      {nextChannel ? (
        <ChannelIcon channel={nextChannel} name={known.channels[nextChannel]} />
      ) : (
        known.steps[nextAction]
      )}
      <span>{carrier === undefined ? when : text.withInvoice(carrier)}</span>
    </span>
  )
}
