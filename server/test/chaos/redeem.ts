import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { decodeProtectedHeader } from 'jose'
import { runChild } from '../../src/kit/child-process.ts'
import {
  type App,
  addPerson,
  askToken,
  errorOf,
  newCode,
  openSession,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  type Stage as Server,
  send,
  type Tokens,
  useToken,
} from '../scenarios/access/oauth/stage.ts'
import type { Findings } from './findings.ts'
import { setStage } from './stage.ts'

const together = 20
const main = join(import.meta.dirname, '../../src/main.ts')

interface Play {
  servers: [Server, Server]
  app: App
  newCode(): Promise<Record<string, string>>
  /** What an operator would type, in a process of its own. */
  rotate(): Promise<unknown>
}

/** Codes, refresh tokens, revocations and signing keys, at two processes that know of each other only through PostgreSQL. */
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
  const stage = await setStage({ dispatcher: 'in-process', apis: 2, workers: 0, leaseMs: 4_000, env })
  const before = findings.counts().failed
  try {
    const servers = stage.apiUrls.map(url => ({ url, issuer, sql: stage.ask })) as [Server, Server]
    const [first] = servers
    const app = await registerApp(first, stage.company)
    const { companyId } = stage.company
    const cookie = await openSession(first, await addPerson(first, { [companyId]: 'owner' }))
    const play: Play = {
      servers,
      app,
      newCode: () => newCode(first, app, cookie, [companyId]),
      rotate: () =>
        runChild(process.execPath, [main, 'keys', 'rotate'], {
          env: { PATH: process.env.PATH, ...stage.database.env, KEYRING: stage.keyring },
        }),
    }
    await redeemAtOnce(findings, play, Number(values.rounds))
    await revokeHereCallThere(findings, play, Number(values.revocations))
    await rotateUnderWay(findings, play, Number(values.rotations))
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${stage.logDir}`)
    await stage.close(isRed)
  }
}

/** How often it succeeded, and what the others were told. */
async function atOnce(
  { servers }: Play,
  form: Record<string, string>,
): Promise<{ won: Tokens[]; lost: string[] }> {
  const told = await Promise.all(Array.from({ length: together }, (_, i) => askToken(servers[i % 2]!, form)))
  const won = told.filter(answer => answer.status === 200).map(answer => answer.json as unknown as Tokens)
  return { won, lost: told.filter(answer => answer.status !== 200).map(errorOf) }
}

async function redeemAtOnce(findings: Findings, play: Play, rounds: number): Promise<void> {
  const faults: unknown[] = []
  let waitedTooLong = 0
  for (let round = 0; round < rounds; round++) {
    const code = await atOnce(play, await play.newCode())
    const isDead =
      code.won[0] && (await useToken(play.servers[round % 2]!, code.won[0].access_token)).status === 401
    const { refresh_token } = await redeem(play.servers[0], await play.newCode())
    const refresh = await atOnce(play, refreshWith(play.app, refresh_token))
    const isAlive =
      refresh.won[0] && (await useToken(play.servers[round % 2]!, refresh.won[0].access_token)).status === 200
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
    `${rounds} times ${together} redemptions of one code and ${together} uses of one refresh token at two processes: one success each`,
    faults.length === 0,
    faults,
  )
}

async function revokeHereCallThere(findings: Findings, play: Play, rounds: number): Promise<void> {
  let accepted = 0
  let alive = 0
  for (let round = 0; round < rounds; round++) {
    const [here, there] = round % 2 === 0 ? play.servers : ([...play.servers].reverse() as [Server, Server])
    const family = round % 4 < 2 ? await redeem(here, await play.newCode()) : null
    const access = family?.access_token ?? (await ownToken(here, play.app))
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

async function rotateUnderWay(findings: Findings, play: Play, rotations: number): Promise<void> {
  const issued: { kid: string; from: number; to: number }[] = []
  const refused: unknown[] = []
  let isOver = false
  const customer = async (n: number) => {
    for (let i = n; !isOver; i++) {
      const [here, there] = [play.servers[i % 2]!, play.servers[(i + 1) % 2]!]
      const from = Date.now()
      const token = await ownToken(here, play.app)
      issued.push({ kid: decodeProtectedHeader(token).kid!, from, to: Date.now() })
      for (const server of [there, here]) {
        const told = await useToken(server, token)
        if (told.status !== 200) refused.push({ status: told.status, text: told.text })
      }
    }
  }
  const customers = [0, 1, 2, 3].map(customer)
  for (let i = 0; i < rotations; i++) {
    await pause(300)
    await play.rotate()
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
  const rows = await play.servers[0].sql<{ kid: string; activated_at: Date; retired_at: Date | null }>(
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
