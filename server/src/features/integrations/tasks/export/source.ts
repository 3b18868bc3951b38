import { localTime } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { InvoiceFilter } from '../../../receivables/invoices/filter-schema.ts'
import type { Cursor } from '../schema.ts'

export interface Column {
  /** In CSV and XLSX. Titles of invoices are known to the import. */
  title: string
  /** In NDJSON, as the API names it: `debtor.name` is the name within the debtor. */
  key: string
  /** `cents`: whole cents, written as they are in NDJSON, with decimals elsewhere. */
  kind: 'text' | 'number' | 'cents' | 'date'
}

/** A cell as it is stored: a number is plain digits with a point, cents are digits, a date `2026-03-12`. */
export type StoredCell = string | null

export interface ExportRow {
  /** The day that `fromDate` and `toDate` are compared with. */
  day: string
  cells: readonly StoredCell[]
}

/** The bounds of an export: nothing that is newer than the task is read. */
export interface Bounds {
  filter: InvoiceFilter
  tenantId: string
  companyId: string
  /** The id of the task: ids begin with the moment of creation. */
  upTo: string
  /** The moment the task was created, in the time of the tenant. */
  createdAt: number
  timeZone: string
  /** The currency the company keeps its books in. */
  currency: string
}

/** One thing that can be exported. */
export interface ExportSource {
  columns: readonly Column[]
  /**
   * The next rows in the order of their keys, from `after` on: about `count`, fewer if some do not match. `next` is where to
   * continue, null at the end.
   */
  read(
    tx: Tx,
    bounds: Bounds,
    after: Cursor | null,
    count: number,
  ): Promise<{ rows: ExportRow[]; next: Cursor | null }>
}

export const text = (title: string, key: string): Column => ({ title, key, kind: 'text' })
export const number = (title: string, key: string): Column => ({ title, key, kind: 'number' })
export const cents = (title: string, key: string): Column => ({ title, key, kind: 'cents' })
export const date = (title: string, key: string): Column => ({ title, key, kind: 'date' })

/** The first possible id. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/** Cents as digits with a point, never as a binary fraction. */
export function decimal(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const moment = (at: number | null): StoredCell => (at === null ? null : iso(at))
export const dayIn = (timeZone: string, at: number): string => localTime(timeZone, at).date

/** Where to continue after a page of at most `count` rows; null at the end. */
export const nextAfter = <Row>(rows: readonly Row[], count: number, keyOf: (row: Row) => Cursor) =>
  rows.length < count ? null : keyOf(rows.at(-1)!)
