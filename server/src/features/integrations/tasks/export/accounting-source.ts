import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import {
  type Bounds,
  beforeAllIds,
  dayIn,
  decimal,
  type ExportRow,
  type ExportSource,
  nextAfter,
  number,
  text,
} from './source.ts'

/** Accounts of the French chart of accounts (plan comptable général). */
const accounts = {
  customers: ['411000', 'Clients'],
  bank: ['512000', 'Banque'],
  losses: ['654000', 'Pertes sur créances irrécouvrables'],
  // How much of a credit note is sales and how much is VAT is not known here.
  pending: ['471000', 'Compte d’attente'],
} as const
const journals = { bank: ['BQ', 'Banque'], other: ['OD', 'Opérations diverses'] } as const

/** One movement: the first account is debited, the second is credited; the other way round if `cents` is negative. */
interface Entry {
  number: string
  journal: keyof typeof journals
  debit: keyof typeof accounts
  credit: keyof typeof accounts
  cents: number
  currency: string
  day: string
  piece: { ref: string; day: string }
  label: string
  debtorId: string
  debtorName: string
}

const compact = (day: string) => day.replaceAll('-', '')

/** Two lines with the same sum. A sum in another currency than the books' is not converted: it is only in `Montantdevise`. */
function linesOf(entry: Entry, booksIn: string): ExportRow[] {
  const { day, piece, label, cents, currency } = entry
  const isForeign = currency !== booksIn
  const lineOf = (account: keyof typeof accounts, isDebit: boolean): ExportRow => {
    const sum = decimal(isForeign ? 0 : Math.abs(cents))
    const auxiliary = account === 'customers' ? [entry.debtorId, entry.debtorName] : [null, null]
    return {
      day,
      cells: [
        ...journals[entry.journal],
        entry.number,
        compact(day),
        ...accounts[account],
        ...auxiliary,
        piece.ref,
        compact(piece.day),
        label,
        isDebit ? sum : decimal(0),
        isDebit ? decimal(0) : sum,
        null,
        null,
        null,
        isForeign ? decimal(isDebit ? Math.abs(cents) : -Math.abs(cents)) : null,
        isForeign ? currency : null,
      ],
    }
  }
  const isReversed = cents < 0
  return [lineOf(entry.debit, !isReversed), lineOf(entry.credit, isReversed)]
}

type MoneyRow = Pick<Tables['postings'], 'entry_id' | 'source_id' | 'posted_at'> & {
  kind: 'payment' | 'refund' | 'reversal' | 'credit'
  cents: number
  number: string
  currency: string
  debtor_id: string
  name: string
  payment_day: string | null
  external_reference: string | null
  credit_number: string | null
  issued_on: string | null
}
const listMoney = sql(
  'exports.list-postings',
  `select l.entry_id, l.source_id, l.kind, -l.amount_cents as cents, l.posted_at, i.number, i.currency, d.id as debtor_id, d.name,
          p.day as payment_day, p.external_reference, c.number as credit_number, c.issued_on
     from (select * from postings where account = 'receivable' and entry_id > $1 and entry_id <= $2 order by entry_id limit $3) l
     join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
     join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
     left join payments p on p.tenant_id = l.tenant_id and p.id = l.source_id
     left join credits c on c.tenant_id = l.tenant_id and c.id = l.source_id
    order by l.entry_id`,
).as<MoneyRow>()

type WriteOffRow = {
  id: string
  created_at: number
  cents: number
  number: string
  currency: string
  debtor_id: string
  name: string
}
// The balance at that moment: later payments do not change the entry.
const listWriteOffs = sql(
  'exports.list-write-offs',
  `select a.id, a.created_at, i.number, i.currency, d.id as debtor_id, d.name,
          i.amount_cents + coalesce((select sum(l.amount_cents)::bigint from postings l
            where l.tenant_id = a.tenant_id and l.invoice_id = i.id and l.account = 'receivable' and l.posted_at <= a.created_at), 0) as cents
     from (select tenant_id, id, invoice_id, created_at from anr_documents where id > $1 and id <= $2 order by id limit $3) a
     join invoices i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    order by a.id`,
).as<WriteOffRow>()

const labels = {
  payment: 'Règlement facture',
  refund: 'Remboursement facture',
  reversal: 'Rejet de règlement facture',
  credit: 'Avoir sur facture',
} as const

function moneyEntry(row: MoneyRow, { timeZone }: Bounds): Entry {
  const postedOn = dayIn(timeZone, row.posted_at)
  const isCredit = row.kind === 'credit'
  return {
    number: row.entry_id,
    journal: isCredit ? 'other' : 'bank',
    debit: isCredit ? 'pending' : 'bank',
    credit: 'customers',
    cents: row.cents,
    currency: row.currency,
    day: row.kind === 'payment' ? (row.payment_day ?? postedOn) : postedOn,
    piece: isCredit
      ? { ref: row.credit_number ?? row.source_id, day: row.issued_on ?? postedOn }
      : { ref: row.external_reference ?? row.source_id, day: row.payment_day ?? postedOn },
    label: `${labels[row.kind]} ${row.number}`,
    debtorId: row.debtor_id,
    debtorName: row.name,
  }
}

function writeOffEntry(row: WriteOffRow, { timeZone }: Bounds): Entry {
  const day = dayIn(timeZone, row.created_at)
  return {
    number: row.id,
    journal: 'other',
    debit: 'losses',
    credit: 'customers',
    cents: row.cents,
    currency: row.currency,
    day,
    piece: { ref: row.id, day },
    label: `Créance irrécouvrable facture ${row.number}`,
    debtorId: row.debtor_id,
    debtorName: row.name,
  }
}

/** Payments and credits first, then write-offs. */
type Place = { part: 'money' | 'writeOffs'; after: string }

/** The columns of article A47 A-1 of the Livre des procédures fiscales. */
export const accountingSource: ExportSource = {
  columns: [
    ...['JournalCode', 'JournalLib', 'EcritureNum', 'EcritureDate', 'CompteNum', 'CompteLib', 'CompAuxNum'],
    ...['CompAuxLib', 'PieceRef', 'PieceDate', 'EcritureLib', 'Debit', 'Credit', 'EcritureLet', 'DateLet'],
    ...['ValidDate', 'Montantdevise', 'Idevise'],
  ].map(name => (/^(Debit|Credit|Montantdevise)$/.test(name) ? number(name, name) : text(name, name))),
  async read(tx, bounds, from, count) {
    const { part, after } = (from ?? { part: 'money', after: beforeAllIds }) as Place
    const write = (entries: Entry[]) => entries.flatMap(entry => linesOf(entry, bounds.currency))
    if (part === 'money') {
      const rows = await tx.rows(listMoney, [after, bounds.upTo, count])
      const next = nextAfter(rows, count, row => ({ part, after: row.entry_id }))
      return {
        rows: write(rows.map(row => moneyEntry(row, bounds))),
        next: next ?? { part: 'writeOffs', after: beforeAllIds },
      }
    }
    const rows = await tx.rows(listWriteOffs, [after, bounds.upTo, count])
    const entries = rows.filter(({ cents }) => cents > 0).map(row => writeOffEntry(row, bounds))
    return { rows: write(entries), next: nextAfter(rows, count, row => ({ part, after: row.id })) }
  },
}
