import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../dev/ports.ts'
import { relanceArgs } from '../../dev/relance-args.ts'
import { plainSha256 } from '../../src/kit/crypto.ts'
import type { BenchEnvironment } from './environment.ts'
import type { Figure } from './figures.ts'
import { processCpuMs, startProcess, untilListening } from './processes.ts'

const linesOfPerson = 6
const eventsPerSecond = 5
/** Of one core. */
const shareMax = 5

/** What open lines of one tenant cost the api: while nothing happens, and with five events a second. */
export async function benchLive(
  environment: BenchEnvironment,
  { small, lineCount = 500, holdSeconds }: { small: boolean; lineCount?: number; holdSeconds?: number },
): Promise<Figure[]> {
  const seconds = holdSeconds ?? (small ? 5 : 20)
  const { env, company, database } = await environment.newInstallation()
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  environment.onStop(() => admin.end())
  const port = await freePort()
  const api = await startProcess([...relanceArgs(), 'api'], { ...env, PORT: String(port) })
  environment.onStop(() => api.stop())
  await untilListening(port)

  const share = async () => {
    const before = await processCpuMs(api.pid)
    await pause(seconds * 1_000)
    return (((await processCpuMs(api.pid)) - before) / (seconds * 1_000)) * 100
  }
  const newSession = async () => {
    const [id, token] = [randomUUIDv7(), randomBytes(32).toString('base64url')]
    const now = new Date()
    await admin.query(
      `with person as (
         insert into people (id, email, email_key, name, language, email_verified_at, created_at)
         values ($1::uuid, $2::text, $2::text, 'Camille Exemple', 'fr', $4::timestamptz, $4::timestamptz)),
       membership as (insert into memberships (person_id, company_id, role, created_at) values ($1::uuid, $3::uuid, 'viewer', $4::timestamptz))
       insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
       values ($5, $1::uuid, 'password', '192.0.2.1', 'bench', $4::timestamptz, $4::timestamptz, $4::timestamptz + interval '12 hours')`,
      [id, `${id}@example.org`, company.companyId, now, plainSha256(token)],
    )
    return token
  }
  let hints = 0
  const openLine = async (token: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /console/api/v1/live HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: __Host-relance=${token}\r\n` +
        `x-company-id: ${company.companyId}\r\nx-environment: production\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    if (!head.toString().startsWith('HTTP/1.1 200')) throw new Error(`a line was refused:\n${head}`)
    socket.on('data', chunk => {
      hints += chunk.toString().split('event: hint').length - 1
    })
    environment.onStop(() => socket.destroy())
    return socket
  }

  await pause(3_000)
  const without = await share()
  let token = ''
  for (let i = 0; i < lineCount; i++) {
    if (i % linesOfPerson === 0) token = await newSession()
    await openLine(token)
  }
  await pause(3_000)
  const idle = await share()
  const writing = setInterval(() => {
    const [id, invoice] = [randomUUIDv7(), randomUUIDv7()]
    void admin.query(
      `insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
       values ($1, $2, 'invoice.updated', 1, $3::uuid, 1, jsonb_build_object('invoiceId', $3::uuid), '{}', $4::timestamptz, $4::timestamptz)`,
      [company.tenants.production, id, invoice, new Date()],
    )
  }, 1_000 / eventsPerSecond)
  await pause(3_000)
  hints = 0
  const busy = await share()
  clearInterval(writing)
  // One hint a second for each line; less would mean that something else was measured.
  const toldPerSecond = hints / seconds / lineCount
  if (toldPerSecond < 0.7) throw new Error(`only ${toldPerSecond.toFixed(2)} hints a second came on a line`)
  const unit = '% of a core'
  return [
    { name: 'the api without a line', unit, values: [without] },
    { name: `${lineCount} lines, nothing happens`, unit, values: [idle], target: { most: shareMax } },
    {
      name: `${lineCount} lines, ${eventsPerSecond} events a second`,
      unit,
      values: [busy],
      target: { most: shareMax },
    },
  ]
}
