import type { Channel } from '../../../domain/contact/channel.ts'

/** A place at the provider of a channel, for one message. */
export interface ProviderPlace {
  channel: Channel
  /** The provider has answered: the place is another's, while the outcome of this message is still to be written. */
  answered(): void
  leave(): void
}

/** How many messages one process gives to a provider at once: a slow one takes no more, and the others go on. */
export interface ProviderPlaces {
  /** Null: all are taken. */
  take(channel: Channel): ProviderPlace | null
  /** How many messages are at a provider, or have its answer still to be written. */
  taken(): number
  /**
   * While one provider is crowded, waits a moment for a place there. Whoever wakes a debtor with it mostly needs that place;
   * without it most debtors would be woken in vain.
   */
  takeIfCrowded(): Promise<ProviderPlace | null>
}

/** After so many messages were turned away by one provider, with none for another in between, it is crowded. */
const crowdedAfter = 8
/** Of how many messages the outcomes may wait to be written; beyond that a message keeps its place at the provider meanwhile. */
const answeredMax = 100

export function providerPlaces(perProvider: number, waitMs = 1_000): ProviderPlaces {
  const taken = new Map<Channel, number>()
  const waiting = new Map<Channel, Set<(place: ProviderPlace) => void>>()
  let answered = 0
  let crowd: { channel: Channel; turnedAway: number } | null = null
  const countOf = (channel: Channel) => taken.get(channel) ?? 0

  function occupy(channel: Channel): ProviderPlace {
    taken.set(channel, countOf(channel) + 1)
    let state: 'taken' | 'answered' | 'left' = 'taken'
    const release = () => {
      taken.set(channel, countOf(channel) - 1)
      const [next] = waiting.get(channel) ?? []
      next?.(occupy(channel))
    }
    return {
      channel,
      answered() {
        if (state !== 'taken' || answered >= answeredMax) return
        state = 'answered'
        answered++
        release()
      },
      leave() {
        if (state === 'taken') release()
        if (state === 'answered') answered--
        state = 'left'
      },
    }
  }

  const waitFor = (channel: Channel) =>
    new Promise<ProviderPlace | null>(resolve => {
      const own = waiting.get(channel) ?? new Set()
      waiting.set(channel, own)
      const end = (place: ProviderPlace | null) => {
        clearTimeout(timer)
        own.delete(end)
        resolve(place)
      }
      const timer = setTimeout(end, waitMs, null)
      own.add(end)
    })

  return {
    take(channel) {
      if (countOf(channel) < perProvider) {
        if (crowd?.channel !== channel) crowd = null
        return occupy(channel)
      }
      crowd = { channel, turnedAway: crowd?.channel === channel ? crowd.turnedAway + 1 : 1 }
      return null
    },
    taken: () => [...taken.values()].reduce((sum, count) => sum + count, answered),
    async takeIfCrowded() {
      if (crowd === null || crowd.turnedAway < crowdedAfter) return null
      const { channel } = crowd
      return countOf(channel) < perProvider ? occupy(channel) : waitFor(channel)
    },
  }
}
