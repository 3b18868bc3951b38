import { addDays, type LocalDate, localTime } from '../../src/domain/time.ts'
import { forEachAtOnce, type ListedRecovery } from './announced-client.ts'
import type { ProvedCompany, ProvedDebtor } from './announced-portfolio.ts'

export interface NextContact {
  at: string
  channel: string
  because: string | null
}

export interface PlannedAction {
  action: string
  channel: string | null
  scheduledAt: string | null
  communicationId: string | null
  skipped: boolean
  reasonCode: string
  isNext: boolean
}

export interface PlannedMessage {
  at: string
  channel: string
  action: string
  invoiceIds: string[]
  shifts: { because: string }[]
}

export interface Slot {
  at: string
  channel: string
  planned: number
}

export interface SampledInvoice {
  id: string
  detail: ListedRecovery
  nextAction: {
    nextAction: string | null
    scheduledAt: string | null
    channel: string | null
    reasonCode: string
    afterPause: { at: string; channel: string | null } | null
  }
  workflow: { status: string; currentStep: string | null; nextActionAt: string | null }
  plan: { reasonCode: string; actions: PlannedAction[] }
}

export interface SampledDebtor {
  debtor: ProvedDebtor
  nextContact: NextContact | null
  calendar: { until: string; stopped: string | null; planned: PlannedMessage[] }
  /** What the page behind the last email says, and of which invoices. */
  page: { sentence: string; invoiceIds: string[] } | null
  invoices: SampledInvoice[]
}

/** Everything a company was told at 08:00 of one day. */
export interface Notes {
  company: ProvedCompany
  dayNumber: number
  today: LocalDate
  /** When noting began and ended, by the sandbox's clock: messages that leave in between are judged by nobody. */
  from: number
  until: number
  invoices: Map<string, ListedRecovery>
  debtors: Map<string, NextContact | null>
  slots: Slot[]
  /** Why nothing is sent at all; null when it is. */
  stopped: string | null
  samples: SampledDebtor[]
}

/** The link of the last email to a debtor. */
export interface PageLink {
  code: string
  invoiceIds: string[]
}

export const companyZone = 'Europe/Paris'
/** The day itself and the three after it. */
export const daysAhead = 4

export async function takeNotes(
  company: ProvedCompany,
  dayNumber: number,
  sampled: readonly ProvedDebtor[],
  links: ReadonlyMap<string, PageLink>,
): Promise<Notes> {
  const { client } = company
  const from = await client.now()
  const today = localTime(companyZone, from).date
  const [invoices, debtors, days] = await Promise.all([
    client.all<{ id: string; recovery: ListedRecovery }>('/invoices?include=recovery'),
    client.all<{ id: string; account: { nextContact: NextContact | null } }>('/debtors?include=account'),
    Promise.all(
      Array.from({ length: daysAhead }, (_, i) =>
        client.done<{ slots: Slot[]; stopped: { because: string } | null }>(
          'GET',
          `/reports/today?date=${addDays(today, i)}`,
        ),
      ),
    ),
  ])
  const samples: SampledDebtor[] = []
  await forEachAtOnce(sampled, 6, async debtor => {
    samples.push(await sampleDebtor(company, debtor, links.get(debtor.id)))
  })
  return {
    company,
    dayNumber,
    today,
    from,
    until: await client.now(),
    invoices: new Map(invoices.map(({ id, recovery }) => [id, recovery])),
    debtors: new Map(debtors.map(({ id, account }) => [id, account.nextContact])),
    slots: days.flatMap(({ slots }) => slots.filter(({ planned }) => planned > 0)),
    stopped: days[0]!.stopped?.because ?? null,
    samples,
  }
}

async function sampleDebtor(
  { client }: ProvedCompany,
  debtor: ProvedDebtor,
  link: PageLink | undefined,
): Promise<SampledDebtor> {
  const [{ account }, calendar] = await Promise.all([
    client.done<{ account: { nextContact: NextContact | null } }>(
      'GET',
      `/debtors/${debtor.id}?include=account`,
    ),
    client.done<SampledDebtor['calendar']>('GET', `/debtors/${debtor.id}/calendar`),
  ])
  const invoices: SampledInvoice[] = []
  for (const id of debtor.invoiceIds) {
    const [{ recovery }, nextAction, workflow, plan] = await Promise.all([
      client.done<{ recovery: ListedRecovery }>('GET', `/invoices/${id}?include=recovery`),
      client.done<SampledInvoice['nextAction']>('GET', `/workflow/invoice/${id}/next-action`),
      client.done<SampledInvoice['workflow']>('GET', `/workflow/invoice/${id}`),
      client.done<SampledInvoice['plan']>('GET', `/workflow/invoice/${id}/plan`),
    ])
    invoices.push({ id, detail: recovery, nextAction, workflow, plan })
  }
  const page =
    link && !debtor.hasUnknownEmail
      ? { sentence: sentenceIn(await client.page(link.code)), invoiceIds: link.invoiceIds }
      : null
  return { debtor, nextContact: account.nextContact, calendar, page, invoices }
}

const sentenceIn = (page: string): string => /<p class="notice">(.*?)<\/p>/s.exec(page)?.[1]?.trim() ?? ''

/** The day that the debtor's page names; null if it names none. */
export function dayOnPage(sentence: string): LocalDate | null {
  return dayNamed(/the next message or call is planned for (.+?)\.$/.exec(sentence)?.[1])
}

/** The day before which the page says that nothing comes; null if it says no such thing. */
export const silentUntilOnPage = (sentence: string): LocalDate | null =>
  dayNamed(/won’t be reminded before (.+?)\./.exec(sentence)?.[1])

function dayNamed(named: string | undefined): LocalDate | null {
  if (named === undefined) return null
  const at = Date.parse(`${named} 12:00 UTC`)
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10)
}

/** Steps that are known to be left out. */
const skips: readonly string[] = ['no_phone', 'no_mobile', 'opted_out', 'small_balance', 'no_provider']

/** What is said of the next action of an invoice: a message, or why it is none. */
export type Said =
  | { kind: 'message'; at: number; channel: string; because: string }
  | { kind: 'skip'; at: number; because: string }
  | { kind: 'none'; because: string }

export function saidBy(at: string | null, channel: string | null, because: string): Said {
  if (at === null) return { kind: 'none', because }
  if (channel === null) return { kind: 'none', because: 'decision' }
  if (skips.includes(because)) return { kind: 'skip', at: Date.parse(at), because }
  return { kind: 'message', at: Date.parse(at), channel, because }
}

/** While it is paused, what follows the pause. */
export const saidByList = ({
  nextActionAt,
  nextChannel,
  reasonCode,
  afterPause,
}: Pick<ListedRecovery, 'nextActionAt' | 'nextChannel' | 'reasonCode' | 'afterPause'>): Said =>
  afterPause
    ? saidBy(afterPause.at, afterPause.channel, reasonCode)
    : saidBy(nextActionAt, nextChannel, reasonCode)

/** The messages of a plan; a step that is left out or decided is none. */
export const messagesIn = ({ actions }: SampledInvoice['plan']): (PlannedAction & { at: number })[] =>
  actions.flatMap(action =>
    action.skipped || action.channel === null || action.scheduledAt === null
      ? []
      : [{ ...action, at: Date.parse(action.scheduledAt) }],
  )
