import { connect } from 'node:net'
import { numbered } from './data.ts'
import { invoiceBody, serialMark } from './http-tape.ts'
import type { Load } from './load.ts'
import { splitAtMarks } from './tape.ts'

/** A load generator for machines without wrk: plain sockets, requests built by joining strings. */
const { port, verb, apiKey, loaded, connections, seconds, series } = JSON.parse(process.argv[2]!) as Load & {
  series: string
}
const template = splitAtMarks(invoiceBody(serialMark), [serialMark])
const bytesAround = template.filter((_, i) => i % 2 === 0).join('').length
const marks = (template.length - 1) / 2
const head = `host: 127.0.0.1:${port}\r\nx-api-key: ${apiKey}\r\n`
const latencies: number[] = []
let count = 0
let failed = 0
let isOver = false

function randomId(): string {
  const below = (count: number) => Math.floor(Math.random() * count)
  if ('ids' in loaded) return loaded.ids[below(loaded.ids.length)]!
  return numbered(loaded.invoiceIdPrefix, loaded.first + below(loaded.count))
}

function nextRequest(): string {
  count++
  if (verb === 'GET') {
    return `GET /api/v1/invoices/${randomId()} HTTP/1.1\r\n${head}\r\n`
  }
  const serial = series + count
  const length = bytesAround + marks * serial.length
  const body = template.map((piece, i) => (i % 2 === 1 ? serial : piece)).join('')
  return `POST /api/v1/invoices HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
}

const oneConnection = () =>
  new Promise<void>(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = ''
    let expected = -1
    let sentAt = 0
    const sendRequest = () => {
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    socket.setEncoding('latin1')
    socket.once('connect', sendRequest)
    socket.on('data', (chunk: Buffer | string) => {
      received += chunk
      if (expected < 0) {
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        expected = end + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1])
      }
      if (received.length < expected) return
      if (received[9] !== '2') failed++
      latencies.push(performance.now() - sentAt)
      received = ''
      expected = -1
      if (isOver) socket.end()
      else sendRequest()
    })
    socket.once('error', () => failed++)
    socket.once('close', () => resolve())
  })

const startedAt = performance.now()
setTimeout(() => {
  isOver = true
}, seconds * 1000)
await Promise.all(Array.from({ length: connections }, oneConnection))
const took = (performance.now() - startedAt) / 1000
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
console.log(
  JSON.stringify({ requests: latencies.length, seconds: took, failed, p50Ms: at(0.5), p99Ms: at(0.99) }),
)
