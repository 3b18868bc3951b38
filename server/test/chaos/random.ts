/** Repeatable random numbers: the same seed gives the same choices (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    between: (low: number, high: number): number => Math.round(low + next() * (high - low)),
    shuffled<T>(items: readonly T[]): T[] {
      const left = [...items]
      const out: T[] = []
      while (left.length > 0) out.push(...left.splice(Math.floor(next() * left.length), 1))
      return out
    },
  }
}

export type Random = ReturnType<typeof randomFrom>
