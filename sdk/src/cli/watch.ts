import type { Advance, AdvanceInput, Relance, TimelineEntry } from '../index.ts'
import { pause } from '../pause.ts'
import { printable, UsageError } from './errors.ts'
import { note, print } from './output.ts'

/** 3d, 2w, 6h, 90m, 1w2d, or as the API has it: P3D. */
export function durationOf(text: string): string {
  if (/^P/i.test(text)) return text.toUpperCase()
  const parts = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/i.exec(text)
  if (!text || !parts)
    throw new UsageError(`${JSON.stringify(text)} is no duration; write 3d, 2w, 6h, 90m or 1d12h.`)
  const [weeks = 0, days = 0, hours, minutes, seconds] = parts.slice(1).map(part => part && Number(part))
  const time = [hours && `${hours}H`, minutes && `${minutes}M`, seconds && `${seconds}S`]
    .filter(Boolean)
    .join('')
  const allDays = Number(weeks) * 7 + Number(days)
  return `P${allDays > 0 || !time ? `${allDays}D` : ''}${time && `T${time}`}`
}

/** Advances the clock of the sandbox and waits until all work that became due is done. */
export async function advanceClock(relance: Relance, input: AdvanceInput): Promise<Advance> {
  // The retries wait for an earlier advance that is still running.
  const advance = await relance.sandbox.advance(input, { maxRetries: 10 })
  if (advance.status === 'done') return advance
  for (;;) {
    const { status, now } = await relance.sandbox.clock()
    if (status === 'idle') return { ...advance, status: 'done', now }
    await pause(1_000, undefined)
  }
}

export async function advanceAndShow(relance: Relance, input: AdvanceInput, isJson: boolean): Promise<void> {
  const advance = await advanceClock(relance, input)
  if (isJson) return print(JSON.stringify(advance, null, 2))
  for (const { at, invoiceNumber, action, status, details } of advance.happened)
    print(printable(`${at}  ${invoiceNumber}  ${action.padEnd(22)}  ${status.padEnd(8)}  ${details}`))
  if (advance.more) note('there is more: `relance watch <invoice>` shows the history of an invoice')
  print(`it is ${advance.now} in the sandbox`)
}

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(text)

async function invoiceIdOf(relance: Relance, text: string): Promise<string> {
  if (isId(text)) return text
  const { data } = await relance.invoices.list({ search: text, limit: 100 })
  const found = data.filter(({ invoiceNumber }) => invoiceNumber === text)
  if (found.length !== 1)
    throw new UsageError(
      `${found.length === 0 ? 'No invoice has' : 'Several invoices have'} the number ${JSON.stringify(text)}; give the id (\`relance invoices list --search ${text}\`).`,
    )
  return found[0]!.id
}

/** The entries that are not seen yet, the oldest first. */
async function newEntries(
  relance: Relance,
  id: string,
  seen: ReadonlySet<string>,
  most: number,
  signal: AbortSignal,
) {
  const fresh: TimelineEntry[] = []
  for await (const entry of relance.invoices.timeline(
    id,
    { limit: Math.min(most, 50) },
    { signal, maxRetries: 8 },
  )) {
    if (seen.has(entry.id) || fresh.length >= most) break
    fresh.push(entry)
  }
  return fresh.reverse()
}

interface WatchOptions {
  /** How many earlier lines are shown first. */
  last: number
  isJson: boolean
  signal: AbortSignal
  pollMs?: number
}

/** The history of an invoice, line by line as it grows, until Ctrl-C. */
export async function watch(
  relance: Relance,
  text: string,
  { last, isJson, signal, pollMs = 1_000 }: WatchOptions,
): Promise<void> {
  const id = await invoiceIdOf(relance, text)
  const seen = new Set<string>()
  try {
    for (let most = last; ; most = Number.POSITIVE_INFINITY) {
      for (const entry of await newEntries(relance, id, seen, most, signal)) {
        seen.add(entry.id)
        print(isJson ? JSON.stringify(entry) : printable(`${entry.at}  ${entry.sentence}`))
      }
      await pause(pollMs, signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
