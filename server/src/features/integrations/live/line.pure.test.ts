import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { lineTo } from './line.ts'

let stop = async () => {}
afterEach(() => stop())

/** An answer on a real connection whose reader has read the head only. */
async function stalled(): Promise<{ response: ServerResponse; socket: Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  stop = async () => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  }
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': open\n\n')
  await once(socket, 'readable')
  return { response, socket }
}

const hint = `data: ${'x'.repeat(10_000)}\n\n`

it('a reader that stands still costs little memory, and is told so when it reads again', async () => {
  const { response, socket } = await stalled()
  const line = lineTo(response, 'AFTER-MISSED')
  let kept = 0
  for (let i = 0; i < 5_000; i++) {
    line.write(hint)
    line.comment()
    kept = Math.max(kept, response.writableLength)
    if (i % 100 === 0) await pause(1)
  }
  expect(response.writableNeedDrain).toBe(true)
  expect(kept).toBeLessThan(200_000)
  let read = 0
  let last = ''
  socket.on('data', chunk => {
    read += chunk.length
    last = (last + chunk.toString()).slice(-100)
  })
  while (!last.includes('AFTER-MISSED')) await pause(10)
  expect(read).toBeLessThan(5_000 * hint.length)
  line.write('data: next\n\n')
  while (!last.includes('data: next')) await pause(10)
}, 20_000)

it('a line that ends does not wait for a reader that stands still', async () => {
  const { response } = await stalled()
  const line = lineTo(response, '')
  while (!response.writableNeedDrain) line.write(hint)
  await pause(50)
  line.end()
  await once(response, 'close')
})
