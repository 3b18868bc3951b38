/** A test file that takes a minute says so, in the comment Vitest reads tags from. */
export const isMarkedLong = (text: string): boolean => /^\/\/ @module-tag long$/m.test(text)
