import { expect, it } from 'vitest'
import type { OperatorClient } from '../../kit/egress/egress.ts'
import { fetchThrough } from './fetch-through.ts'

const requestedPaths: string[] = []
const endless = async function* () {
  for (;;) yield Buffer.alloc(1 << 20)
}
const client = {
  async open({ path }: { path: string }) {
    requestedPaths.push(path)
    return { status: 200, headers: {}, body: endless() }
  },
} as unknown as OperatorClient
const through = fetchThrough(client, 'https://model.example/v1/')

it('a library reaches what stands below the base, and nothing else', async () => {
  for (const url of [
    'https://evil.example/v1/chat',
    'https://model.example/v1',
    'https://model.example/v2/chat',
    'https://model.example.evil.example/v1/chat',
    'https://model.example/v10/chat',
  ])
    await expect(through(url, { method: 'POST', body: '{}' }), url).rejects.toThrow('its own address')
  const response = await through('https://model.example/v1/chat?x=1', { method: 'POST', body: '{}' })
  expect(requestedPaths).toEqual(['/chat?x=1'])
  await response.body!.cancel()
})

it('a reply without an end is cut', async () => {
  const response = await through('https://model.example/v1/chat', { method: 'POST', body: '{}' })
  await expect(response.text()).rejects.toThrow()
})
