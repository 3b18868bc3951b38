/**
 * The events of a stream, without the comments that keep the connection open. Throws if no data arrives for `silenceMaxMs`, when
 * given.
 */
export async function* eventsOf(
  response: Response,
  signal: AbortSignal | undefined,
  silenceMaxMs?: number,
): AsyncGenerator<{ event: string; data: string }, void, undefined> {
  const reader = response.body!.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      let isSilent = false
      const onSilence = () => {
        isSilent = true
        cancel()
      }
      const timer = silenceMaxMs === undefined ? undefined : setTimeout(onSilence, silenceMaxMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      signal?.throwIfAborted()
      if (isSilent) throw new Error(`Nothing came for ${silenceMaxMs} ms.`)
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined && data !== undefined) yield { event, data }
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await reader.cancel().catch(() => {})
  }
}
