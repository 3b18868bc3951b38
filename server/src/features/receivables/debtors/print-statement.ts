import { z } from 'zod'
import { accountStatementOf } from '../../../domain/money/account-statement.ts'
import { localTime } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { optional, uuid } from '../../../kit/fields.ts'
import { operation, pdfReply } from '../../../kit/operation.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import {
  type OpenRows,
  openInvoicesSql,
  openListedMax,
} from '../../recovery/messages/compose/content-store.ts'
import { onOneLine } from '../../recovery/messages/compose/write-message.ts'
import { drawStatement } from './draw-statement.ts'

const selectOpen = sql(
  'debtors.get-open-invoices',
  `select c.time_zone as zone, ${openInvoicesSql('d.id')} as open
     from debtors d join tenants t on t.id = d.tenant_id join companies c on c.id = t.company_id where d.id = $1`,
).as<{ zone: string; open: OpenRows }>()

export const printStatement = operation({
  id: 'debtors.statement',
  method: 'GET',
  path: '/api/v1/debtors/:id/statement',
  summary: 'Download the statement of account of a debtor: all its open invoices',
  description: `The ${openListedMax} invoices that are due first; the document says how many more there are. A disputed invoice is marked, and in no sum to pay. A time-barred one of a consumer is left out.`,
  scopes: ['debtors:read', 'invoices:read'],
  params: z.strictObject({ id: uuid }),
  query: z.strictObject({
    language: optional(z.enum(['fr', 'en'])).meta({ description: 'Left out: that of the debtor' }),
  }),
  status: 200,
  reply: pdfReply,
  errors: [debtorUnknown],
  assistant: 'never',
  usesNow: true,
  async run({ tx, params, query, now }) {
    const [[file], [found]] = await Promise.all([
      tx.rows(selectDebtorFile, [params.id]),
      tx.rows(selectOpen, [params.id]),
    ])
    if (!file || !found) throw debtorUnknown.make()
    const on = localTime(found.zone, now).date
    const { creditor } = file
    const bytes = await drawStatement({
      language: query.language ?? file.language,
      isSandbox: file.environment === 'sandbox',
      madeAt: now,
      creditor: { ...creditor, address: onOneLine(creditor) },
      debtor: {
        name: file.name,
        address: onOneLine({ address: file.address, postalCode: file.postal_code, city: file.city }),
      },
      account: accountStatementOf(found.open.invoices, {
        on,
        isConsumer: file.type === 'consumer',
        leftOut: found.open.leftOut,
      }),
    })
    return { bytes, fileName: `statement-${on}.pdf` }
  },
})
