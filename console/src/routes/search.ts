/** The query parameters of a screen. Only the names are checked here; the API validates the values. */
type Search<Name extends string> = Readonly<Partial<Record<Name, string>>>

const searchOf =
  <const Name extends string>(...names: Name[]) =>
  // The router parses a number in the URL as a number.
  (raw: Record<string, unknown>): Search<Name> =>
    Object.fromEntries(
      names.flatMap(name => {
        const value = raw[name]
        return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    ) as Search<Name>

/** `ouvert` is the debtor in the side sheet. */
type DaySearch = Partial<Record<'date' | 'group' | 'inCharge' | 'later' | 'ouvert', string | undefined>>

export const daySearch: (raw: Record<string, unknown>) => Readonly<DaySearch> = searchOf(
  'date',
  'group',
  'inCharge',
  'later',
  'ouvert',
)

export const debtorSearch = searchOf(
  'search',
  'standing',
  'minBalance',
  'risk',
  'nextFrom',
  'nextTo',
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

/** `task` is the import that is shown. */
export const importSearch = searchOf('task')

export const messageSearch = searchOf('sentFrom', 'sentTo', 'channel', 'state', 'message', 'cursor')
