/** What the URL of a screen may say after its question mark. The API judges the values; here only the names are known. */
type Search<Name extends string> = Readonly<Partial<Record<Name, string>>>

const searchOf =
  <const Name extends string>(...names: Name[]) =>
  // A number in the URL is read as one.
  (raw: Record<string, unknown>): Search<Name> =>
    Object.fromEntries(
      names.flatMap(name => {
        const value = raw[name]
        return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    ) as Search<Name>

export const daySearch = searchOf('date')

export const debtorSearch = searchOf(
  'search',
  'standing',
  'minBalance',
  'risk',
  'parked',
  'sortBy',
  'sortOrder',
  'cursor',
)

export const invoiceSearch = searchOf(
  'search',
  'status',
  'debtorId',
  'standing',
  'dueFrom',
  'dueTo',
  'overdueMin',
  'overdueMax',
  'workflowStatus',
  'step',
  'nextFrom',
  'nextTo',
  'reasonCode',
  'debtorType',
  'sortBy',
  'sortOrder',
  'cursor',
)

export const messageSearch = searchOf('sentFrom', 'sentTo', 'channel', 'state', 'message', 'cursor')
