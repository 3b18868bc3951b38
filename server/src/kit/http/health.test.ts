import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addHealthRoutes } from './health.ts'

it('checks of readiness that come together ask the database once, and the next one asks again', async () => {
  let asked = 0
  const answers: PromiseWithResolvers<void>[] = []
  const app = Fastify()
  addHealthRoutes(app, {
    version: '0',
    clock: { wall: () => 0 },
    isReady() {
      asked++
      answers.push(Promise.withResolvers<void>())
      return answers.at(-1)!.promise
    },
  })
  const check = () => app.inject({ url: '/health/ready' }).then(({ statusCode }) => statusCode)
  const simultaneous = Array.from({ length: 50 }, check)
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(asked).toBe(1)
  answers[0]!.resolve()
  expect(new Set(await Promise.all(simultaneous))).toEqual(new Set([200]))
  const next = check()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(asked).toBe(2)
  answers[1]!.reject(new Error('away'))
  expect(await next).toBe(503)
})
