import type { ServerResponse } from 'node:http'

export interface Line {
  write(text: string): void
  /** Keeps the connection open. */
  comment(): void
  end(): void
}

/**
 * Writes to one reader. Nothing is buffered for a slow reader: when it reads again, it gets `afterMissed` in place of everything
 * it missed.
 */
export function lineTo(response: ServerResponse, afterMissed: string): Line {
  let hasMissed = false
  const write = (text: string) => {
    if (response.writableNeedDrain) hasMissed = true
    else response.write(text)
  }
  response.on('drain', () => {
    if (!hasMissed) return
    hasMissed = false
    write(afterMissed)
  })
  // The reader is gone; `close` follows.
  response.on('error', () => {})
  return {
    write,
    comment: () => {
      if (!response.writableNeedDrain) response.write(': still here\n\n')
    },
    end: () => {
      // Do not wait until a slow reader has taken the pending data.
      if (response.writableLength > 0) response.destroy()
      else response.end()
    },
  }
}
