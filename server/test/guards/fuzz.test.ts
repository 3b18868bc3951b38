// @module-tag long
import { expect, it } from 'vitest'
import { readBooks } from '../chaos/fuzz-books.ts'
import { routes } from '../chaos/fuzz-document.ts'
import { type Fuzzed, fuzz } from '../chaos/fuzz-run.ts'
import { useHouse } from '../harness/house.ts'
import { useScriptedModel } from '../harness/scripted-model.ts'

const model = useScriptedModel()
// A Sunday: nothing is sent meanwhile, so that the time goes to the requests.
const house = useHouse({
  redisUrl: undefined,
  now: Date.parse('2026-11-15T10:00:00+01:00'),
  env: Object.assign(model.env, { TRUSTED_PROXIES: '127.0.0.1' }),
})
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

/** News of a message need one that was sent, and on this Sunday none is: their own tests tell them. */
const isHopeless = (operation: string) =>
  /^sandbox\.simulate(Delivered|Bounced|NoAnswer|Lrar)/.test(operation)

let fuzzed: Fuzzed

it(`10,000 requests made from the document, seed ${seed}: every answer is one the document promises`, async () => {
  const stranger = await house.installation.createCompany({
    name: 'Une autre maison',
    ownerEmail: 'autre@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  // People come by a page, and there is none here to come by.
  for (const { companyId } of [house.company, stranger])
    await house.sql(
      `with someone as (
         insert into people (id, email, email_key, name, language, created_at)
         select gen_random_uuid(), at, at, 'Somebody', 'fr', $2 from (
           select 'p' || i || '@' || $1::uuid || '.example' as at from generate_series(1, 150) i) x returning id)
       insert into memberships (person_id, company_id, role, created_at)
       select id, $1::uuid, (array['viewer', 'agent', 'owner'])[1 + (random() * 2)::integer], $2 from someone`,
      [companyId, new Date().toISOString()],
    )
  fuzzed = await fuzz({
    baseUrl: house.installation.baseUrl,
    callers: [
      { tenant: 'production', key: house.company.productionKey },
      { tenant: 'sandbox', key: house.company.sandboxKey },
      { tenant: 'stranger', key: stranger.productionKey },
    ],
    requests: 10_000,
    isHopeless,
    seed,
    concurrency: 8,
  })
  expect(fuzzed.failures).toEqual([])
  expect(fuzzed.sent).toBeGreaterThanOrEqual(10_000)
}, 900_000)

it('every operation was also asked rightly, or the run would prove nothing about it', () => {
  const unasked = routes.filter(({ id }) => !fuzzed.succeeded.has(id) && !isHopeless(id))
  expect(unasked.map(route => route.id)).toEqual([])
})

it('and afterwards the books agree', async () => {
  for (const { promise, broken } of await readBooks(text => house.sql(text)))
    expect(broken, promise).toEqual([])
})
