import type { Channel } from '../../../domain/contact/channel.ts'

/** A place at the provider of a channel, for one message. */
export interface ProviderPlace {
  channel: Channel
  /** The provider has answered: the place is free for another message, although the outcome is not written yet. */
  answered(): void
  leave(): void
}

/** Limits how many messages one process sends to a provider at once, so that a slow provider does not block the others. */
export interface ProviderPlaces {
  /** Null: all are taken. */
  take(channel: Channel): ProviderPlace | null
  /** How many messages are at a provider, or have an answer that is not written yet. */
  taken(): number
  /**
   * While one provider is crowded, waits a moment for a place there. Most of the due debtors need that provider: woken without
   * a place, they could not be sent anything.
   */
  takeIfCrowded(): Promise<ProviderPlace | null>
}

/** A provider is crowded after it refused this many messages, with none for another provider in between. */
const crowdedAfter = 8
/** How many answered messages may wait for their outcome to be written. Beyond that, a message keeps its place until then. */
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
