import { accountingSource } from './accounting-source.ts'
import { invoiceSource } from './invoice-source.ts'
import { auditSource, contactSource, debtorSource, paymentSource } from './record-sources.ts'
import type { Exported } from './schema.ts'
import type { ExportSource } from './source.ts'

export const sources: Readonly<Record<Exported, ExportSource>> = {
  invoices: invoiceSource,
  debtors: debtorSource,
  payments: paymentSource,
  contacts: contactSource,
  audit: auditSource,
  accounting_entries: accountingSource,
}
