import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { BodySettings } from '../../src/kit/http/body.ts'
import { acceptForms, formOf } from '../../src/kit/http/form.ts'
import { headOf, sendRaw } from '../harness/raw-request.ts'
import { operationThat, serveOperation } from './serve-operation.ts'

const kB = 1024
const side = {
  heldMaxBytes: 40 * kB,
  heldByNetworkMaxBytes: 40 * kB,
  arrivalMs: 10_000,
  drainMaxBytes: 100 * kB,
  drainMs: 500,
}
const anonymousAllowance = { perMinute: 10_000, perDay: null, inFlight: 10_000 }

const closes: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

async function serve(strangers: Partial<BodySettings['strangers']> = {}): Promise<string> {
  const bodySettings = { strangers: { ...side, ...strangers }, callers: side }
  const app = await serveOperation(
    { ...operationThat(async () => ({})), method: 'POST' },
    { bodySettings, anonymousAllowance, trustedProxies: ['127.0.0.1'] },
  )
  acceptForms(app)
  app.post('/form', async request => ({ fields: formOf(request).size }))
  closes.push(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

const formHead = (length: number, address = '198.51.100.1') =>
  headOf('POST', '/form', {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': length,
    'x-forwarded-for': address,
  })

/** Begins a form and does not end it. */
async function beginForm(url: string, bytes: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  closes.push(() => socket.destroy())
  await new Promise(resolve => socket.write(formHead(16 * kB) + 'a'.repeat(bytes), resolve))
  return socket
}
const settle = () => new Promise(resolve => setTimeout(resolve, 200))

it('strangers share a part of the memory; beyond it they are asked to come back, and callers are not', async () => {
  const url = await serve()
  const held = [await beginForm(url, 15 * kB), await beginForm(url, 15 * kB)]
  await settle()
  const third = await sendRaw(url, [formHead(16 * kB), 'a'.repeat(16 * kB)])
  expect(third.status).toBe(503)
  expect(third.text).toMatch(/^retry-after: \d+\r$/im)
  const caller = await fetch(`${url}/do`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  // The body was read, and refused for its field.
  expect(caller.status).toBe(400)
  for (const socket of held) socket.destroy()
  await settle()
  expect((await sendRaw(url, [formHead(16 * kB), 'a'.repeat(16 * kB)])).status).toBe(200)
})

it('one network fills its own part only: strangers from elsewhere are answered', async () => {
  const url = await serve({ heldByNetworkMaxBytes: 20 * kB })
  const held = await beginForm(url, 15 * kB)
  await settle()
  expect((await sendRaw(url, [formHead(16 * kB), 'a'.repeat(16 * kB)])).status).toBe(503)
  const elsewhere = [formHead(16 * kB, '203.0.113.7'), 'a'.repeat(16 * kB)]
  expect((await sendRaw(url, elsewhere)).status).toBe(200)
  held.destroy()
  await settle()
  expect((await sendRaw(url, [formHead(16 * kB), 'a'.repeat(16 * kB)])).status).toBe(200)
})

it('an answered request gives its part back', async () => {
  const url = await serve()
  for (let i = 0; i < 20; i++)
    expect((await sendRaw(url, [formHead(15 * kB), 'a'.repeat(15 * kB)])).status).toBe(200)
})

it('a body that arrives too slowly is answered with 408', async () => {
  const url = await serve({ arrivalMs: 300 })
  const answer = await sendRaw(url, [formHead(1_000), 'a'])
  expect(answer.status).toBe(408)
  expect(answer.text).toContain('did not arrive within')
})

it('what follows a refusal is thrown away for a while, and then the connection ends', async () => {
  const url = await serve()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  closes.push(() => socket.destroy())
  let answered = ''
  socket.on('data', chunk => {
    answered += chunk
  })
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()).on('error', () => {}))
  socket.write(formHead(1_000_000_000))
  const flood = setInterval(() => socket.write(Buffer.alloc(50 * kB)), 10)
  await closed
  clearInterval(flood)
  expect(answered).toContain('413')
  expect(socket.bytesWritten).toBeLessThan(20_000 * kB)
})
