import { type ApiDescription, openApi } from '../src/kit/http/openapi.ts'
import type { Schema } from './type-of-schema.ts'

/** The operations that have a form in the console. */
const forms = [
  ...[
    'company.stopSending',
    'debtors.addNote',
    'debtors.addPerson',
    'debtors.changePerson',
    'debtors.closeReply',
  ],
  ...[
    'debtors.decideDataRequest',
    'debtors.decideSituation',
    'debtors.optOut',
    'debtors.pause',
    'debtors.promise',
  ],
  ...['debtors.reportSituation', 'debtors.resume', 'debtors.retryAddress', 'debtors.update'],
  ...[
    'invoices.cancel',
    'invoices.create',
    'invoices.credit',
    'invoices.dispute',
    'invoices.promise',
    'invoices.resolveDispute',
  ],
  ...['invoices.writeOff', 'payments.create', 'payments.receive', 'payments.refund'],
  ...['workflow.communicate', 'workflow.recordFiling', 'workflow.trigger'],
]

interface Limited extends Schema {
  maxLength?: number
  maximum?: number
  format?: string
  'x-days'?: { from: number | null; to: number | null }
}
interface Route {
  operationId: string
  requestBody?: { content: Record<string, { schema: Limited }> }
}
interface Document {
  paths: Record<string, Record<string, Route>>
  components: { schemas: Record<string, Limited> }
}

/** The limits of a field and of what is in it, by their names: `representative.name`. */
function* limitsIn(
  schemas: Document['components']['schemas'],
  name: string,
  field: Limited,
): Generator<[string, object]> {
  const known = field.$ref === undefined ? field : schemas[field.$ref.split('/').at(-1)!]!
  // An optional field is its value or null; what is said of the field stands beside the two.
  const value = known.anyOf?.find(({ type }) => type !== 'null') ?? known
  const { maxLength, maximum, format, 'x-days': days } = { ...(value as Limited), ...known, ...field }
  const limits = {
    ...(maxLength !== undefined && { maxLength }),
    ...(name.endsWith('Cents') && maximum !== undefined && { maxCents: maximum }),
    ...(days && {
      ...(days.from !== null && { fromDay: days.from }),
      ...(days.to !== null && { toDay: days.to }),
    }),
    ...(days && format === 'date-time' && { isMoment: true }),
  }
  if (Object.keys(limits).length > 0) yield [name, limits]
  const inner =
    (value as Limited).$ref === undefined ? value : schemas[(value as Limited).$ref!.split('/').at(-1)!]!
  for (const [part, schema] of Object.entries(inner.properties ?? {}))
    yield* limitsIn(schemas, name === '' ? part : `${name}.${part}`, schema as Limited)
}

/** What the contract says of the fields of the forms: how long, how much, and from which day to which. */
export function consoleLimits(contract: ApiDescription): string {
  const { paths, components } = openApi(contract) as unknown as Document
  const routes = new Map(
    Object.values(paths).flatMap(methods =>
      Object.values(methods).map(route => [route.operationId, route] as const),
    ),
  )
  const lines = forms.toSorted().map(id => {
    const body = routes.get(id)!.requestBody?.content['application/json']?.schema ?? {}
    return `  '${id}': ${JSON.stringify(Object.fromEntries(limitsIn(components.schemas, '', body)))},\n`
  })
  return `// Generated from the contract by npm run generate. Do not edit.\n\nexport const limits = {\n${lines.join('')}} as const\n`
}
