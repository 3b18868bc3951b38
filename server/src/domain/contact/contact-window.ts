import { DAY, type Instant, MINUTE } from '../time.ts'

/**
 * When a rest that begins at an instant is over. Rests and windows end on a whole minute, never before their length is over, so
 * that the moment a rule names and the moment a message is planned for are the same on every clock.
 */
export const endOfRest = (at: Instant, length: number): Instant => Math.ceil((at + length) / MINUTE) * MINUTE

/** The first instant whose own rest would not be over at the given one. */
export const startOfRest = (at: Instant, length: number): Instant =>
  Math.floor(at / MINUTE) * MINUTE - length + 1

/** Whether the later of two instants falls into the rest after the earlier one. */
export const isWithinRest = (one: Instant, other: Instant, length: number): boolean =>
  Math.max(one, other) < endOfRest(Math.min(one, other), length)

/**
 * How many contacts count at an instant: the most in any rolling window of so many times 24 hours that holds the instant.
 * Contacts reserved for later share a window with it too. The caps compare this number with the most that is allowed.
 */
export function contactsCounted(
  contacts: readonly { readonly at: Instant }[],
  days: number,
  at: Instant,
): number {
  const length = days * DAY
  const near = contacts.filter(contact => isWithinRest(contact.at, at, length))
  const inWindowTo = (end: Instant) =>
    near.filter(contact => contact.at <= end && end < endOfRest(contact.at, length)).length
  return Math.max(inWindowTo(at), ...near.filter(contact => contact.at > at).map(({ at }) => inWindowTo(at)))
}
