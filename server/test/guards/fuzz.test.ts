import { expect, it } from 'vitest'
import { routes } from '../chaos/fuzz-document.ts'
import { checkInvariants } from '../chaos/fuzz-invariants.ts'
import { type Fuzzed, fuzz } from '../chaos/fuzz-run.ts'
import { useScriptedModel } from '../harness/scripted-model.ts'
import { useInstallation } from '../harness/use-installation.ts'

const model = useScriptedModel()
// A Sunday: nothing is sent meanwhile, so that the time goes to the requests.
const installation = useInstallation({
  redisUrl: undefined,
  now: Date.parse('2026-11-15T10:00:00+01:00'),
  env: Object.assign(model.env, { TRUSTED_PROXIES: '127.0.0.1' }),
})
/** `npm run prove -- fuzz` sends a hundred thousand. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 2_000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

/**
 * Simulated provider events and replies need a sent message, and on this Sunday none is sent; a task is started, mapped and undone
 * after a worker has run it, and that takes a while: nobody is erased while the file of an import is not read; a claim is filed after
 * the amicable stage. Other tests cover them.
 */
const isUnreachable = (operation: string) =>
  /^sandbox\.simulate(Delivered|Bounced|NoAnswer|Lrar|Reply)|^debtors\.(readReply|closeReply|decideSituation)$|^communications\.(get|acknowledge)$|^invoices\.acknowledgePromise$|^workflow\.takeBack$|^workflow\.recordFiling$|^tasks\.(start|map|undo|erase)$/.test(
    operation,
  )

let fuzzed: Fuzzed

it(`${requests} requests made from the document, seed ${seed}: every answer is one the document promises`, async () => {
  const stranger = await installation.server.createCompany({
    name: 'Une autre maison',
    ownerEmail: 'autre@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  // People come by a page, and there is none here to come by.
  for (const { companyId } of [installation.company, stranger])
    await installation.sql(
      `with someone as (
         insert into people (id, email, email_key, name, language, created_at)
         select gen_random_uuid(), at, at, 'Somebody', 'fr', $2 from (
           select 'p' || i || '@' || $1::uuid || '.example' as at from generate_series(1, 150) i) x returning id)
       insert into memberships (person_id, company_id, role, created_at)
       select id, $1::uuid, (array['viewer', 'agent', 'owner'])[1 + (random() * 2)::integer], $2 from someone`,
      [companyId, new Date().toISOString()],
    )
  fuzzed = await fuzz({
    baseUrl: installation.server.baseUrl,
    callers: [
      { tenant: 'production', key: installation.company.productionKey },
      { tenant: 'sandbox', key: installation.company.sandboxKey },
      { tenant: 'stranger', key: stranger.productionKey },
    ],
    requests,
    isUnreachable,
    seed,
    concurrency: 8,
  })
  expect(fuzzed.failures).toEqual([])
  expect(fuzzed.sent).toBeGreaterThanOrEqual(requests)
}, 900_000)

it('every operation was also asked rightly, or the run would prove nothing about it', () => {
  const unasked = routes.filter(({ id }) => !fuzzed.succeeded.has(id) && !isUnreachable(id))
  expect(unasked.map(route => route.id)).toEqual([])
})

it('and afterwards the invariants hold', async () => {
  for (const { promise, broken } of await checkInvariants(text => installation.sql(text)))
    expect(broken, promise).toEqual([])
})
