import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keptCounts } from '../harness/kept-counts.ts'
import { type ChaosInstallation, mondayMorning, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

/** What a standard recovery does in sixty days when nobody answers. */
const expectedActions = [
  'email_prise_en_charge',
  'relance_email_1',
  'sms_reminder',
  'relance_email_2',
  'ai_call',
  'relance_email_3',
  'lrar_mise_en_demeure',
  'ai_call_2',
  'email_dernier_avis',
  'revue_judiciaire',
]

const bulkSize = 100
const oneWithinSeconds = 3
const allWithinSeconds = 60
const lockRetryMs = 300_000
/** From this size on the time limits are checked; it needs a quiet machine. */
const fullSize = 1_000

/** Months of many recoveries pass in a sandbox in seconds, and each of them does what it would have done, when it would have. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      recoveries: { type: 'string', default: '20' },
      days: { type: 'string', default: '60' },
    },
  })
  const [recoveries, days] = [Number(values.recoveries), Number(values.days)]
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 1,
    leaseMs: 60_000,
  })
  const before = findings.counts().failed
  try {
    const one = await importAndAdvance(installation, days, 1, 'one')
    findings.figure(`seconds for ${days} days of one recovery`, one.toFixed(2))
    await call(installation, 'POST', '/sandbox/reset')
    const all = await importAndAdvance(installation, days, recoveries, 'all')
    findings.figure(`seconds for ${days} days of ${recoveries} recoveries`, all.toFixed(1))
    if (recoveries >= fullSize) {
      findings.check(`one recovery takes less than ${oneWithinSeconds} s`, one < oneWithinSeconds, one)
      findings.check(`all of them take less than ${allWithinSeconds} s`, all < allWithinSeconds, all)
    }
    await judgeSandbox(installation, findings, recoveries, days)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

async function call<Data>(
  installation: ChaosInstallation,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  for (;;) {
    const response = await fetch(`${installation.apiUrls[0]}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': installation.company.sandboxKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: Data }
    if (response.ok) return answer.data
    // The first messages of all that was just imported are on their way.
    if (response.status !== 423) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    await pause(Number(response.headers.get('retry-after')) * 1_000)
  }
}

const debtor = (name: string, i: number) => ({
  name: `Durand ${name} ${i} SARL`,
  email: `compta@durand-${name}-${i}.example`,
  // Numbers that end in 000001 to 000003 have a special meaning in the sandbox.
  phone: `+336${20_000_009 + 10 * i}`,
  address: '12 rue Mercière',
  postalCode: '69002',
  city: 'Lyon',
  type: 'business',
})

/** Imports, waits for the first messages, and lets time pass; the seconds that took. */
async function importAndAdvance(
  installation: ChaosInstallation,
  days: number,
  recoveries: number,
  name: string,
): Promise<number> {
  for (let from = 0; from < recoveries; from += bulkSize) {
    const invoices = Array.from({ length: Math.min(bulkSize, recoveries - from) }, (_, i) => ({
      invoiceNumber: `${name}-${from + i}`,
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: debtor(name, from + i),
    }))
    await call(installation, 'POST', '/invoices/bulk', { invoices })
  }
  await call(installation, 'POST', '/sandbox/clock', { advance: 'PT1S' })
  const start = performance.now()
  let { status } = await call<{ status: string }>(installation, 'POST', '/sandbox/clock', {
    advance: `P${days}D`,
  })
  while (status === 'running') {
    if (performance.now() - start > lockRetryMs)
      throw new Error(`${name}: still running after ${lockRetryMs / 1_000} s`)
    await pause(100)
    ;({ status } = await call<{ status: string }>(installation, 'GET', '/sandbox/clock'))
  }
  return (performance.now() - start) / 1_000
}

async function judgeSandbox(
  installation: ChaosInstallation,
  findings: Findings,
  recoveries: number,
  days: number,
): Promise<void> {
  const tenant = [installation.company.tenants.sandbox]
  const actionLists = await installation.query<{ actions: string[]; n: number }>(
    `select actions, count(*)::integer as n
       from (select array_agg(action order by executed_at, id) as actions from actions where tenant_id = $1 group by invoice_id) of
      group by 1`,
    tenant,
  )
  const isWhole = actionLists.length === 1 && actionLists[0]!.n === recoveries
  if (days === 60)
    findings.check(
      `each of ${recoveries} recoveries took its ${expectedActions.length} steps, once and in their order`,
      isWhole && actionLists[0]!.actions.join() === expectedActions.join(),
      actionLists.slice(0, 3),
    )
  else findings.check('all recoveries took the same steps', isWhole, actionLists.slice(0, 3))
  const [sent] = await installation.query<{ stored: number; sent: number; open: number }>(
    `select (select count(*) from sandbox_messages where tenant_id = $1)::integer as stored,
            (select count(*) from communications where tenant_id = $1 and state = 'sent')::integer as sent,
            (select count(*) from communications where tenant_id = $1 and state in ('reserved', 'sending'))::integer as open`,
    tenant,
  )
  findings.check('every sent message is stored, and nothing is half done', isConsistent(sent!), sent)
  const wrong = await installation.query(
    `with contact as (
       select debtor_id, channel, sent_at, sent_at at time zone 'Europe/Paris' as local,
              lag(sent_at) over (partition by debtor_id order by sent_at) as previous,
              lag(sent_at) over (partition by debtor_id, channel order by sent_at) as previous_on_channel
         from communications where tenant_id = $1 and state = 'sent')
     select debtor_id, channel, sent_at from contact
      where extract(isodow from local) = 7 or local::time < '08:00' or local::time >= '20:00'
         or (previous at time zone 'Europe/Paris')::date = local::date
         or sent_at - previous_on_channel < interval '72 hours'
         or local::date in ('2026-12-25', '2027-01-01')`,
    tenant,
  )
  findings.check(
    'no message left at an hour, on a day or after a pause it may not',
    wrong.length === 0,
    wrong,
  )
  const late = await installation.query(
    `select invoice_id from actions where tenant_id = $1 and (executed_at < $2 or executed_at > $3)`,
    [...tenant, new Date(mondayMorning), new Date(mondayMorning + (days * 2 + 2) * 24 * 3_600_000)],
  )
  findings.check('everything happened in the time that passed', late.length === 0, late)
  for (const [promise, query] of Object.entries(keptCounts)) {
    const broken = await installation.query(query)
    findings.check(promise, broken.length === 0, broken.slice(0, 3))
  }
  findings.check('and not a byte left for a mail server', installation.mailbox.connections() === 0)
  findings.check(
    'no process ended by itself',
    installation.unexpectedExits.length === 0,
    installation.unexpectedExits,
  )
}

const isConsistent = ({ stored, sent, open }: { stored: number; sent: number; open: number }) =>
  stored === sent && sent > 0 && open === 0
