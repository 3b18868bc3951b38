import { describe, expect, it } from 'vitest'
import { providerPlaces } from './provider-places.ts'

const refuse = (places: ReturnType<typeof providerPlaces>, channel: 'email' | 'sms', times: number) => {
  for (let i = 0; i < times; i++) expect(places.take(channel)).toBeNull()
}

describe('the places at a provider', () => {
  it('are limited, and a place that was left is free once', () => {
    const places = providerPlaces(1)
    const place = places.take('email')!
    expect(places.take('email')).toBeNull()
    expect(places.take('sms')).not.toBeNull()
    place.leave()
    place.leave()
    expect(places.taken()).toBe(1)
    expect(places.take('email')).not.toBeNull()
    expect(places.take('email')).toBeNull()
  })

  it('are free for the next message at the answer of the provider, and its outcome is counted until it is written', () => {
    const places = providerPlaces(1)
    const place = places.take('email')!
    place.answered()
    place.answered()
    expect(places.taken()).toBe(1)
    const next = places.take('email')!
    expect(places.taken()).toBe(2)
    place.leave()
    place.leave()
    expect(places.taken()).toBe(1)
    expect(places.take('email')).toBeNull()
    next.leave()
    expect(places.taken()).toBe(0)
  })

  it('are kept after the answer while many outcomes wait to be written', () => {
    const places = providerPlaces(1)
    for (let i = 0; i < 100; i++) places.take('email')!.answered()
    const kept = places.take('email')!
    kept.answered()
    expect(places.take('email')).toBeNull()
    kept.leave()
    expect(places.take('email')).not.toBeNull()
  })

  it('are waited for once a provider has turned many away, the first come first', async () => {
    const places = providerPlaces(1)
    const place = places.take('email')!
    refuse(places, 'email', 7)
    expect(await places.takeIfCrowded()).toBeNull()
    refuse(places, 'email', 1)
    const order: number[] = []
    const waiting = [1, 2].map(n =>
      places.takeIfCrowded().then(given => {
        order.push(n)
        return given
      }),
    )
    place.leave()
    const given = await waiting[0]
    expect(given!.channel).toBe('email')
    expect(order).toEqual([1])
    given!.leave()
    expect((await waiting[1])!.channel).toBe('email')
  })

  it('are waited for no longer than a moment, so that messages by other channels go on', async () => {
    const places = providerPlaces(1, 5)
    places.take('sms')
    refuse(places, 'sms', 8)
    expect(await places.takeIfCrowded()).toBeNull()
    expect(places.taken()).toBe(1)
  })

  it('are not waited for while messages go to another provider', async () => {
    const places = providerPlaces(1)
    places.take('sms')
    refuse(places, 'sms', 8)
    places.take('email')
    expect(await places.takeIfCrowded()).toBeNull()
  })
})
