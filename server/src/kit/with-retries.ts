const delaysMs = [100, 400, 1_000, 3_000, 8_000]

/** Repeats work that failed with a transient error, for some twelve seconds. */
export async function withRetries<T>(
  mayRetry: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (const delayMs of delaysMs)
    try {
      return await work()
    } catch (error) {
      if (!mayRetry(error)) throw error
      await new Promise(resolve => setTimeout(resolve, delayMs))
    }
  return work()
}
