import type { Invoice, InvoiceStatus } from '@relance/sdk'
import type { ChipTone } from '../ui/chip.tsx'
import { money } from './format.ts'
import { type Language, wordsIn } from './language.tsx'
import { names } from './names.ts'

export type Standing = NonNullable<Invoice['recovery']>['standing']
type Hold = Standing extends infer Each ? (Each extends `held:${infer Name}` ? Name : never) : never

const holdOf = (standing: Standing): Hold | null =>
  standing.startsWith('held:') ? (standing.slice('held:'.length) as Hold) : null

/** Where a recovery stands, in words; for a hold, what holds it. */
export function standingText(standing: Standing, language: Language): string {
  const { standings, reasons } = wordsIn(names, language)
  const hold = holdOf(standing)
  return hold === null ? standings[standing as Exclude<Standing, `held:${Hold}`>] : reasons[hold]
}

interface StandingChip {
  readonly text: string
  readonly tone: ChipTone
  readonly sign?: string
}

/** These say something that the standing does not. All others repeat it, in words that may contradict it. */
const toldBeside: readonly InvoiceStatus[] = ['partial', 'lrar_sent']

/**
 * Where an invoice stands, as the API says it. Once the recovery is over the status of the invoice is more precise; where the
 * user may not read recoveries it is all that is known.
 */
export function standingChips({ status, recovery, currency }: Invoice, language: Language): StandingChip[] {
  const { invoiceStatuses, reasons } = wordsIn(names, language)
  const disputedCents = recovery?.disputedCents ?? null
  /** What is disputed is said with its sum. */
  const withSum = (text: string, isDispute: boolean) =>
    isDispute && disputedCents !== null ? `${text} (${money(disputedCents, currency, language)})` : text
  const statusChip: StandingChip = {
    text: withSum(invoiceStatuses[status], status === 'disputed'),
    tone: 'brand',
  }
  if (!recovery || recovery.standing === 'ended' || recovery.standing === 'judicial') return [statusChip]
  const { standing, holds } = recovery
  const first = holdOf(standing)
  const held = first === null ? [] : [first, ...holds.filter(hold => hold !== first)]
  return [
    ...(first === null
      ? [
          {
            text: standingText(standing, language),
            tone: standing === 'decide' ? ('warn' as const) : ('brand' as const),
            ...(standing === 'decide' && { sign: '?' }),
          },
        ]
      : held.map(hold => ({
          text: withSum(reasons[hold], hold === 'dispute'),
          tone: 'warn' as const,
          sign: '‖',
        }))),
    ...(toldBeside.includes(status) ? [{ ...statusChip, tone: 'plain' as const }] : []),
  ]
}

/** The same in one line, for a cell of a table. */
export const standingLine = (invoice: Invoice, language: Language): string =>
  standingChips(invoice, language)
    .map(({ text }) => text)
    .join(', ')
