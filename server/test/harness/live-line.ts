import type { Hint } from '../../src/features/integrations/live/hints.ts'
import { eventually } from './use-installation.ts'

/** An open line, and what came on it. */
export interface OpenLine {
  status: number
  headers: Headers
  /** What it was answered when it was refused, else what came. */
  text: string
  hints: Hint[]
  /** When it was ended by the server. */
  endedAt: number | null
  close(): void
}

/** Opens `/console/api/v1/live` and goes on reading. */
export async function openLine(baseUrl: string, headers: Record<string, string>): Promise<OpenLine> {
  const closing = new AbortController()
  const response = await fetch(`${baseUrl}/console/api/v1/live`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: closing.signal,
  })
  const line: OpenLine = {
    status: response.status,
    headers: response.headers,
    text: '',
    hints: [],
    endedAt: null,
    close: () => closing.abort(),
  }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      line.text += decoder.decode(chunk, { stream: true })
      line.hints = [...line.text.matchAll(/^event: hint\ndata: (.*)$/gm)].map(([, json]) => JSON.parse(json!))
    }
  }
  const reading = read().catch(() => {})
  void reading.then(() => {
    line.endedAt = Date.now()
  })
  if (response.status !== 200) await reading
  return line
}

export const idsOf = ({ hints }: OpenLine, kind: Hint['kind']): string[] =>
  hints.flatMap(hint => (hint.kind === kind ? [...hint.ids] : []))

export const untilHinted = (line: OpenLine, kind: Hint['kind'], id: string, withinMs = 10_000) =>
  eventually(
    () => idsOf(line, kind),
    ids => ids.includes(id),
    withinMs,
  )
