import { type Random, randomFrom } from '../chaos/random.ts'

/** Repeatable choices: the same seed draws the same files. */
export interface Choices {
  between: Random['between']
  one<T>(list: readonly T[]): T
  happens(percent: number): boolean
  shuffled: Random['shuffled']
}

export function choicesFrom(seed: number): Choices {
  const { between, shuffled } = randomFrom(seed)
  return {
    between,
    shuffled,
    one: list => list[between(0, 9_999_999) % list.length]!,
    happens: percent => between(0, 9_999_999) % 100 < percent,
  }
}
