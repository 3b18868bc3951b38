import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { type TriggerAction, triggerActions } from '../../../domain/recovery/recovery-state.ts'
import type { AfterCommit } from '../../../kit/after-commit.ts'
import type { Operation } from '../../../kit/operation.ts'
import type { Language } from './language.ts'
import {
  channelTexts,
  operationTexts,
  otherRuleText,
  planTexts,
  shiftTexts,
  simulationText,
  triggerTexts,
} from './plan-texts.ts'
import { showArguments } from './show-arguments.ts'

export interface ReplyLocale {
  readonly language: Language
  readonly timeZone: string
}

type Args = Readonly<Record<string, unknown>>

/** Reduces the name of a record to plain characters, so that it cannot look like our own text. */
export const plainText = (text: unknown): string =>
  String(text)
    .replaceAll(/[^\p{L}\p{N} .,;:'’&@+€$%/-]+/gu, ' ')
    .replaceAll(/:?\/{2,}|\bwww\./gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

export function formatMoment(at: string | number, { language, timeZone }: ReplyLocale): string {
  return new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
    .format(typeof at === 'number' ? at : Date.parse(at))
    .replaceAll(',', '')
}

/** The name of an invoice or debtor, if the caller may read it; else its id. */
async function nameOf(
  afterCommit: AfterCommit,
  noun: 'invoices' | 'debtors',
  id: unknown,
  { language }: ReplyLocale,
) {
  const get = afterCommit.tools.find(tool => tool.operation.id === `${noun}.get`)
  const answer = get && (await afterCommit.useTool(get, { id }, { isPaid: true }))
  const data = answer?.status === 200 ? (answer.body as { data: Record<string, unknown> }).data : null
  if (!data) return plainText(id)
  if (noun === 'debtors') return plainText(data.name)
  const { name } = data.debtor as { name: string }
  return `${planTexts.invoice[language]} ${plainText(data.invoiceNumber)} (${plainText(name)})`
}

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  list.includes(value as T)

interface Shift {
  because: string
  from: string
  until: string
}

/** The planned moment, and why it differs from the requested one. */
function describeMoment(
  asked: unknown,
  planned: { scheduledAt: string; shifts: Shift[] },
  locale: ReplyLocale,
): string {
  const { language } = locale
  const at = `${planTexts.on[language]} ${formatMoment(planned.scheduledAt, locale)}`
  const shifts = planned.shifts.filter(shift => shift.because !== 'spread')
  const isMoved =
    typeof asked === 'string' ? Date.parse(asked) !== Date.parse(planned.scheduledAt) : shifts.length > 0
  if (!isMoved || shifts.length === 0) return at
  const reasons = [...new Set(shifts.map(({ because }) => (shiftTexts[because] ?? otherRuleText)[language]))]
  const moved =
    typeof asked === 'string'
      ? `${planTexts.moved[language]} ${formatMoment(asked, locale)}, ${planTexts.because[language]}`
      : planTexts.because[language]
  return `${at}. ${moved}: ${reasons.join('; ')}`
}

/** Describes an operation from its exact arguments and its dry run; written by the program, not by the model. */
export async function describeOperation(
  afterCommit: AfterCommit,
  planned: { readonly operation: Pick<Operation, 'id' | 'method'>; readonly args: Args },
  dryRunResult: unknown,
  locale: ReplyLocale,
): Promise<string> {
  const { args } = planned
  const { id: operation, method } = planned.operation
  const { language } = locale
  const remainingArguments = (...mentioned: readonly string[]) =>
    showArguments(args, mentioned, { language, isChange: method === 'PUT' })
  if (operation === 'workflow.trigger' && isOneOf<TriggerAction>(triggerActions, args.action)) {
    const what = `${triggerTexts[args.action][language]} ${await nameOf(afterCommit, 'invoices', args.invoiceId, locale)}`
    if (args.action !== 'pause') return what + remainingArguments('invoiceId', 'action')
    const end =
      typeof args.until === 'string'
        ? `${planTexts.until[language]} ${formatMoment(args.until, locale)}`
        : planTexts.untilResumed[language]
    return `${what} ${end}${remainingArguments('invoiceId', 'action', 'until')}`
  }
  if (operation === 'workflow.communicate' && isOneOf<Channel>(channels, args.channel)) {
    const what = `${channelTexts[args.channel][language]} ${await nameOf(afterCommit, 'invoices', args.invoiceId, locale)}`
    const when = describeMoment(args.at, dryRunResult as { scheduledAt: string; shifts: Shift[] }, locale)
    return `${what} ${when}${remainingArguments('invoiceId', 'channel', 'at')}`
  }
  const text = (operationTexts[operation] ?? simulationText)[language]
  const noun = operation.split('.')[0]
  if ((noun === 'invoices' || noun === 'debtors') && args.id !== undefined)
    return `${text} ${await nameOf(afterCommit, noun, args.id, locale)}${remainingArguments('id')}`
  if (args.invoiceId !== undefined)
    return `${text}: ${await nameOf(afterCommit, 'invoices', args.invoiceId, locale)}${remainingArguments('invoiceId')}`
  return text + remainingArguments()
}

export const numberedList = (lines: readonly string[]): string =>
  lines.map((line, at) => `${at + 1}. ${line}`).join('\n')
