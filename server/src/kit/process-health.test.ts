import { expect, it } from 'vitest'
import { createProcessHealth } from './process-health.ts'

it('a process is not ready before its first part has said anything, and lives meanwhile', async () => {
  const health = createProcessHealth()
  expect([await health.live(), await health.ready()]).toEqual([null, 'it is starting'])
})

it('a process is ready when all its parts are, and says what is wrong with the first that is not', async () => {
  const health = createProcessHealth()
  let fault: string | null = null
  health.add({ ready: () => null })
  health.add({ ready: async () => fault })
  expect(await health.ready()).toBeNull()
  fault = 'the clock is wrong'
  expect([await health.live(), await health.ready()]).toEqual([null, 'the clock is wrong'])
})

it('a check that hangs is a fault after two seconds, and is asked once however many probes come', async () => {
  const health = createProcessHealth()
  const answer = Promise.withResolvers<null>()
  let asked = 0
  health.add({
    ready: () => {
      asked++
      return answer.promise
    },
  })
  const probes = await Promise.all([health.ready(), health.ready(), health.ready()])
  expect(new Set(probes)).toEqual(new Set(['a check gave no answer for 2000 ms']))
  expect(asked).toBe(1)
  answer.resolve(null)
  expect(await health.ready()).toBeNull()
  expect(await health.ready()).toBeNull()
  expect(asked).toBe(2)
})
