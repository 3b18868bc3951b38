import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { decodeProtectedHeader } from 'jose'
import { inheritedEnv } from '../../dev/relance-args.ts'
import { runChild } from '../../src/kit/child-process.ts'
import {
  type App,
  addPerson,
  errorOf,
  newCode,
  openSession,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  requestToken,
  type OAuthServer as Server,
  send,
  type Tokens,
  useToken,
} from '../scenarios/access/oauth/oauth-calls.ts'
import { startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const concurrentRequests = 20
const main = join(import.meta.dirname, '../../src/main.ts')

interface RedeemContext {
  servers: [Server, Server]
  app: App
  newCode(): Promise<Record<string, string>>
  /** What an operator would type, in a process of its own. */
  rotate(): Promise<unknown>
}

/** Codes, refresh tokens, revocations and signing keys at two processes that share only PostgreSQL. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '50' },
      revocations: { type: 'string', default: '200' },
      rotations: { type: 'string', default: '5' },
    },
  })
  const issuer = 'http://localhost:8080'
  const env = { PUBLIC_URL: issuer, TRUSTED_PROXIES: '127.0.0.1' }
  const installation = await startChaosInstallation({
    apis: 2,
    workers: 0,
    leaseMs: 4_000,
    env,
  })
  const before = findings.counts().failed
  try {
    const servers = installation.apiUrls.map(url => ({ url, issuer, sql: installation.query })) as [
      Server,
      Server,
    ]
    const [first] = servers
    const app = await registerApp(first, installation.company)
    const { companyId } = installation.company
    const cookie = await openSession(first, await addPerson(first, { [companyId]: 'owner' }))
    const context: RedeemContext = {
      servers,
      app,
      newCode: () => newCode(first, app, cookie, [companyId]),
      rotate: () =>
        runChild(process.execPath, [main, 'keys', 'rotate'], {
          env: { ...inheritedEnv(), ...installation.database.env, KEYRING: installation.keyring },
        }),
    }
    await redeemAtOnce(findings, context, Number(values.rounds))
    await revokeHereCallThere(findings, context, Number(values.revocations))
    await rotateUnderWay(findings, context, Number(values.rotations))
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/** The successful responses, and the errors of the others. */
async function atOnce(
  { servers }: RedeemContext,
  form: Record<string, string>,
): Promise<{ won: Tokens[]; lost: string[] }> {
  const responses = await Promise.all(
    Array.from({ length: concurrentRequests }, (_, i) => requestToken(servers[i % 2]!, form)),
  )
  const won = responses
    .filter(answer => answer.status === 200)
    .map(answer => answer.json as unknown as Tokens)
  return { won, lost: responses.filter(answer => answer.status !== 200).map(errorOf) }
}

async function redeemAtOnce(findings: Findings, context: RedeemContext, rounds: number): Promise<void> {
  const faults: unknown[] = []
  let waitedTooLong = 0
  for (let round = 0; round < rounds; round++) {
    const code = await atOnce(context, await context.newCode())
    const isDead =
      code.won[0] && (await useToken(context.servers[round % 2]!, code.won[0].access_token)).status === 401
    const { refresh_token } = await redeem(context.servers[0], await context.newCode())
    const refresh = await atOnce(context, refreshWith(context.app, refresh_token))
    const isAlive =
      refresh.won[0] &&
      (await useToken(context.servers[round % 2]!, refresh.won[0].access_token)).status === 200
    const lost = [...code.lost, ...refresh.lost]
    waitedTooLong += lost.filter(error => error === 'temporarily_unavailable').length
    const isFine =
      code.won.length === 1 &&
      refresh.won.length === 1 &&
      isDead &&
      isAlive &&
      lost.every(error => error === 'invalid_grant' || error === 'temporarily_unavailable')
    if (!isFine)
      faults.push({
        round,
        codes: code.won.length,
        refreshes: refresh.won.length,
        isDead,
        isAlive,
        lost: [...new Set(lost)],
      })
  }
  findings.figure('requests that waited too long for their turn', waitedTooLong)
  findings.check(
    `${rounds} times ${concurrentRequests} redemptions of one code and ${concurrentRequests} uses of one refresh token at two processes: one success each`,
    faults.length === 0,
    faults,
  )
}

async function revokeHereCallThere(
  findings: Findings,
  context: RedeemContext,
  rounds: number,
): Promise<void> {
  let accepted = 0
  let alive = 0
  for (let round = 0; round < rounds; round++) {
    const [here, there] =
      round % 2 === 0 ? context.servers : ([...context.servers].reverse() as [Server, Server])
    const family = round % 4 < 2 ? await redeem(here, await context.newCode()) : null
    const access = family?.access_token ?? (await ownToken(here, context.app))
    if ((await useToken(there, access)).status === 200) alive++
    // Some are under way while it is revoked; what counts is what is asked after the answer.
    const underWay = [useToken(there, access), useToken(there, access)]
    await send(here, 'POST', '/api/oauth/revoke', { json: { token: family?.refresh_token ?? access } })
    if ((await useToken(there, access)).status !== 401) accepted++
    await Promise.all(underWay)
  }
  findings.check(`all ${rounds} tokens were good before`, alive === rounds, alive)
  findings.check(
    `${rounds} times revoked at one process and used at the other: none accepted`,
    accepted === 0,
    accepted,
  )
}

async function rotateUnderWay(findings: Findings, context: RedeemContext, rotations: number): Promise<void> {
  const issued: { kid: string; from: number; to: number }[] = []
  const refused: unknown[] = []
  let isOver = false
  const customer = async (n: number) => {
    for (let i = n; !isOver; i++) {
      const [here, there] = [context.servers[i % 2]!, context.servers[(i + 1) % 2]!]
      const from = Date.now()
      const token = await ownToken(here, context.app)
      issued.push({ kid: decodeProtectedHeader(token).kid!, from, to: Date.now() })
      for (const server of [there, here]) {
        const responses = await useToken(server, token)
        if (responses.status !== 200) refused.push({ status: responses.status, text: responses.text })
      }
    }
  }
  const customers = [0, 1, 2, 3].map(customer)
  for (let i = 0; i < rotations; i++) {
    await pause(300)
    await context.rotate()
  }
  await pause(300)
  isOver = true
  await Promise.all(customers)
  findings.figure('tokens issued meanwhile', issued.length)
  findings.check(
    `${rotations} rotations: no token was refused by either process`,
    refused.length === 0,
    refused,
  )
  const rows = await context.servers[0].sql<{ kid: string; activated_at: Date; retired_at: Date | null }>(
    'select kid, activated_at, retired_at from signing_keys where activated_at is not null',
  )
  const lives = new Map(rows.map(row => [row.kid, row]))
  const wrong = issued.filter(({ kid, from, to }) => {
    const life = lives.get(kid)
    return (
      !life || Number(life.activated_at) > to || Number(life.retired_at ?? Number.POSITIVE_INFINITY) < from
    )
  })
  findings.check(
    'each token was signed by the key that was active when it was issued',
    wrong.length === 0,
    wrong,
  )
  const used = new Set(issued.map(token => token.kid)).size
  findings.check('every key signed some of them', used === rotations + 1, used)
}
