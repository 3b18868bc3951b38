import { setTimeout as pause } from 'node:timers/promises'

/** Longer than queueing a mail takes, so that the response time does not show whether an account exists. */
const minimumMs = 150

export async function constantTime<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), pause(minimumMs)])
  return result
}
