import { request } from 'undici'

const timeoutMs = 2_000

/** How many invocations the engine holds, by their status: running, backing-off (the last attempt failed), pending and so on. */
export async function countInvocations(adminUrl: string): Promise<{ status: string; count: number }[]> {
  const response = await request(`${adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    // Those that ended are kept for an hour, so that the engine accepts a chunk once.
    body: JSON.stringify({
      query: `select status, count(*) as count from sys_invocation where status <> 'completed' group by status order by status`,
    }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.statusCode !== 200) {
    await response.body.dump()
    throw new Error(`the engine answered ${response.statusCode} when asked for its invocations`)
  }
  return ((await response.body.json()) as { rows: { status: string; count: number }[] }).rows
}
