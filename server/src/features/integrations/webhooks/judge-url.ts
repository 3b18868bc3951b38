import type { Outside, Warning } from '../../../kit/operation.ts'
import { webhookUrlRefused } from './errors.ts'

/** Refuses what would never be delivered to; a name nobody knows yet may be known tomorrow, and is taken with a doubt. */
export async function judgeUrl(outside: Pick<Outside, 'judge'>, url: string): Promise<readonly Warning[]> {
  const verdict = await outside.judge(url)
  if (!verdict.allowed) throw webhookUrlRefused.make(verdict.because)
  if (verdict.resolves) return []
  return [
    {
      code: 'url_not_resolving',
      message: 'The host of url has no address at the moment; until it has one, deliveries to it fail.',
    },
  ]
}
