import { useRef } from 'react'

/**
 * The idempotency key of a request. The same values keep it, so that a retry after a lost answer does nothing twice; other values are
 * another request.
 */
export function useAttempt(): (...values: readonly unknown[]) => { idempotencyKey: string } {
  const last = useRef({ what: '', idempotencyKey: '' })
  return (...values) => {
    const what = JSON.stringify(values)
    if (last.current.what !== what) last.current = { what, idempotencyKey: crypto.randomUUID() }
    return { idempotencyKey: last.current.idempotencyKey }
  }
}
