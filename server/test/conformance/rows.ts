import type { Table } from './row.ts'
import { access } from './rows/access.ts'
import { clients } from './rows/clients.ts'
import { conventions } from './rows/conventions.ts'
import { debtorsAndPayments } from './rows/debtors-and-payments.ts'
import { details } from './rows/details.ts'
import { errors } from './rows/errors.ts'
import { invoices } from './rows/invoices.ts'
import { limits } from './rows/limits.ts'
import { settingsAndSandbox } from './rows/settings-and-sandbox.ts'
import { webhooks } from './rows/webhooks.ts'
import { workflows } from './rows/workflow.ts'

/** Every row of the specification, table by table. */
export const tables: readonly Table[] = [
  ...conventions,
  ...invoices,
  ...debtorsAndPayments,
  ...workflows,
  ...settingsAndSandbox,
  ...webhooks,
  ...access,
  ...errors,
  ...limits,
  ...clients,
  ...details,
]
