export interface ShortTextPattern {
  test(text: string): boolean
  exec(text: string): RegExpExecArray | null
}

/**
 * A pattern for texts of at most `lengthMax` characters; a longer text does not match. For patterns that take more than linear
 * time: a guard runs every pattern of the sources on long texts, and allows such a one only here.
 */
export const shortText = (lengthMax: number, pattern: RegExp): ShortTextPattern => ({
  test: text => text.length <= lengthMax && pattern.test(text),
  exec: text => (text.length <= lengthMax ? pattern.exec(text) : null),
})
