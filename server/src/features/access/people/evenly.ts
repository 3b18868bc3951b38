import { setTimeout as pause } from 'node:timers/promises'

/** Longer than a mail takes to be written down, so that the time of the answer does not say whether there was one to write. */
const quietMs = 150

export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), pause(quietMs)])
  return result
}
