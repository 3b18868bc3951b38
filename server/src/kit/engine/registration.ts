import { request } from 'undici'

const timeoutMs = 15_000

/**
 * Tells the engine where the services answer (HTTP/2). Saying it again changes nothing. `force` makes the engine look
 * again at an address it knows, and may strand what runs on the old code: development and tests only.
 */
export async function registerDeployment(options: {
  adminUrl: string
  uri: string
  force: boolean
}): Promise<void> {
  const { adminUrl, uri, force } = options
  // The engine's own default for `force` is true: always say it.
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
