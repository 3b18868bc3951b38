import type { ExternalServices, Warning } from '../../../kit/operation.ts'
import { webhookUrlRefused } from './errors.ts'

/** Refuses a URL that could never be delivered to; a host name that does not resolve yet is accepted with a warning. */
export async function judgeUrl(
  external: Pick<ExternalServices, 'judgeUrl'>,
  url: string,
): Promise<readonly Warning[]> {
  const verdict = await external.judgeUrl(url)
  if (!verdict.allowed) throw webhookUrlRefused.make(verdict.because)
  if (verdict.resolves) return []
  return [
    {
      code: 'url_not_resolving',
      message: 'The host of url has no address at the moment; until it has one, deliveries to it fail.',
    },
  ]
}
