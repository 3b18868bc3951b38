import { request } from 'undici'

const timeoutMs = 15_000

/**
 * Registers the address of our services (HTTP/2) with the engine. Repeating it changes nothing. `force` makes the engine
 * discover a known address again, and may break calls that still run on the old code: development and tests only.
 */
export async function registerDeployment(options: {
  adminUrl: string
  uri: string
  force: boolean
}): Promise<void> {
  const { adminUrl, uri, force } = options
  // The engine's default for `force` is true, so it is always sent.
  const response = await request(`${adminUrl}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ uri, force, use_http_11: false }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(error => {
    throw new Error(`the engine at ${adminUrl} did not answer the registration of ${uri}`, { cause: error })
  })
  const answer = await response.body.text()
  if (response.statusCode === 200 || response.statusCode === 201) return
  throw new Error(`the engine refused ${uri} (${response.statusCode}): ${messageOf(answer)}`)
}

function messageOf(answer: string): string {
  try {
    const { message } = JSON.parse(answer) as { message?: unknown }
    return typeof message === 'string' ? message : answer
  } catch (error) {
    if (error instanceof SyntaxError) return answer
    throw error
  }
}
