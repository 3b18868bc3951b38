import { afterAll, beforeAll } from 'vitest'
import { type Receiver, startReceiver } from './receiver.ts'

/** One for a test file. */
export function useReceiver(): Receiver {
  const receiver = {} as Receiver
  beforeAll(() => startReceiver(200, receiver))
  afterAll(() => receiver.stop?.())
  return receiver
}
