import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { type TriggerAction, triggerActions } from '../../../domain/recovery/recovery-state.ts'
import type { Afterwards } from '../../../kit/afterwards.ts'
import type { Language } from './language.ts'
import {
  channelInWords,
  deedInWords,
  otherRule,
  planWords,
  shiftInWords,
  simulateInWords,
  triggerInWords,
} from './plan-words.ts'

export interface Manner {
  readonly language: Language
  readonly timeZone: string
}

type Args = Readonly<Record<string, unknown>>

const longest = 80

/** Somebody else's words inside ours: as plain as they come, so that they can pretend to be nothing else. */
export function plain(text: unknown): string {
  const words = String(text)
    .replaceAll(/[^\p{L}\p{N} .,;:'’&@+€$%/-]+/gu, ' ')
    .replaceAll(/:?\/{2,}|\bwww\./gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const signs = [...words]
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('')}…` : words
}

export function momentInWords(at: string | number, { language, timeZone }: Manner): string {
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

/** What an id stands for, as far as the caller may know it themselves. */
async function named(after: Afterwards, noun: 'invoices' | 'debtors', id: unknown, { language }: Manner) {
  const get = after.tools.find(tool => tool.operation.id === `${noun}.get`)
  const answer = get && (await after.use(get, { id }, { isPaid: true }))
  const data = answer?.status === 200 ? (answer.body as { data: Record<string, unknown> }).data : null
  if (!data) return plain(id)
  if (noun === 'debtors') return plain(data.name)
  const { name } = data.debtor as { name: string }
  return `${planWords.invoice[language]} ${plain(data.invoiceNumber)} (${plain(name)})`
}

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  list.includes(value as T)

/** The rest of the arguments, so that nothing that will be done is left unsaid. */
const others = (args: Args, said: readonly string[]): string => {
  const left = Object.entries(args).filter(
    ([name, value]) => !said.includes(name) && value !== undefined && value !== null,
  )
  if (left.length === 0) return ''
  const told = left.map(
    ([name, value]) => `${plain(name)}: ${plain(typeof value === 'object' ? JSON.stringify(value) : value)}`,
  )
  return ` (${told.join('; ')})`
}

interface Shift {
  because: string
  from: string
  until: string
}

/** When the rules allow it, and why not when it was asked for. */
function whenInWords(
  asked: unknown,
  planned: { scheduledAt: string; shifts: Shift[] },
  manner: Manner,
): string {
  const { language } = manner
  const at = `${planWords.on[language]} ${momentInWords(planned.scheduledAt, manner)}`
  const shifts = planned.shifts.filter(shift => shift.because !== 'spread')
  const isMoved =
    typeof asked === 'string' ? Date.parse(asked) !== Date.parse(planned.scheduledAt) : shifts.length > 0
  if (!isMoved || shifts.length === 0) return at
  const reasons = [...new Set(shifts.map(({ because }) => (shiftInWords[because] ?? otherRule)[language]))]
  const moved =
    typeof asked === 'string'
      ? `${planWords.moved[language]} ${momentInWords(asked, manner)}, ${planWords.because[language]}`
      : planWords.because[language]
  return `${at}. ${moved}: ${reasons.join('; ')}`
}

/** What will be done, said by the program from the operation, its exact arguments and their rehearsal. */
export async function inWords(
  after: Afterwards,
  deed: { readonly operation: string; readonly args: Args },
  rehearsed: unknown,
  manner: Manner,
): Promise<string> {
  const { operation, args } = deed
  const { language } = manner
  if (operation === 'workflow.trigger' && isOneOf<TriggerAction>(triggerActions, args.action)) {
    const what = `${triggerInWords[args.action][language]} ${await named(after, 'invoices', args.invoiceId, manner)}`
    if (args.action !== 'pause') return what + others(args, ['invoiceId', 'action'])
    const end =
      typeof args.until === 'string'
        ? `${planWords.until[language]} ${momentInWords(args.until, manner)}`
        : planWords.untilResumed[language]
    return `${what} ${end}${others(args, ['invoiceId', 'action', 'until'])}`
  }
  if (operation === 'workflow.communicate' && isOneOf<Channel>(channels, args.channel)) {
    const what = `${channelInWords[args.channel][language]} ${await named(after, 'invoices', args.invoiceId, manner)}`
    const when = whenInWords(args.at, rehearsed as { scheduledAt: string; shifts: Shift[] }, manner)
    return `${what} ${when}${others(args, ['invoiceId', 'channel', 'at'])}`
  }
  const words = (deedInWords[operation] ?? simulateInWords)[language]
  const noun = operation.split('.')[0]
  if ((noun === 'invoices' || noun === 'debtors') && args.id !== undefined)
    return `${words} ${await named(after, noun, args.id, manner)}${others(args, ['id'])}`
  if (args.invoiceId !== undefined)
    return `${words}: ${await named(after, 'invoices', args.invoiceId, manner)}${others(args, ['invoiceId'])}`
  return words + others(args, [])
}

export const numbered = (lines: readonly string[]): string =>
  lines.map((line, at) => `${at + 1}. ${line}`).join('\n')
