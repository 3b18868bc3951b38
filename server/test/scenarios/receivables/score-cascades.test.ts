import { expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { newScoreFixture, type ScoreFixture } from './score-fixture.ts'

const installation = useInstallation()

/** Creates a debtor with a given score. */
async function knownFor(
  fixture: ScoreFixture,
  type: string,
  score: number,
  name = `Lambert ${type} ${score} SARL`,
): Promise<string> {
  const debtor = { ...lyonDebtor(name), type }
  const { id } = await fixture.done<{ id: string }>('POST', '/api/v1/debtors', debtor)
  await installation.sql(
    `insert into debtor_scores (tenant_id, debtor_id, formula, inputs, points, score, computed_at)
     select tenant_id, id, 1, '{}', '{}', $2, created_at from debtors where id = $1`,
    [id, score],
  )
  return id
}

const cascadeOf = async (invoiceId: string) =>
  (
    await installation.sql<{ cascade: string }>('select cascade from recoveries where invoice_id = $1', [
      invoiceId,
    ])
  )[0]!.cascade

it('a new invoice of a risky business takes the fast cascade, in the request that creates it', async () => {
  const fixture = await newScoreFixture(installation)
  for (const [type, score, cascade] of [
    ['business', 100, 'fr_b2b_standard'],
    ['business', 101, 'fr_b2b_fast'],
    ['business', 180, 'fr_b2b_fast'],
    ['consumer', 180, 'fr_consumer'],
    ['public_body', 180, 'fr_public_body'],
  ] as const) {
    const { id } = await fixture.invoice({ debtor: { id: await knownFor(fixture, type, score) } })
    expect([type, score, await cascadeOf(id)]).toEqual([type, score, cascade])
  }
})

it('a sole trader is a natural person: no score brings the letter nearer', async () => {
  const fixture = await newScoreFixture(installation)
  const trader = await knownFor(fixture, 'business', 180, 'Jeanne Lambert EI')
  const started = await fixture.invoice({ debtor: { id: trader } })
  expect(await cascadeOf(started.id)).toBe('fr_b2b_standard')
})

it('a batch with debtors of every kind chooses for each of them', async () => {
  const fixture = await newScoreFixture(installation)
  const [risky, calm] = [await knownFor(fixture, 'business', 140), await knownFor(fixture, 'business', 12)]
  const invoice = (debtor: object, i: number) => ({
    invoiceNumber: `B-${i}`,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor,
  })
  const { results } = await fixture.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [{ id: risky }, { id: calm }, lyonDebtor('Nouveau Venu'), { id: risky }].map(invoice),
  })
  const chosen = await Promise.all(results.map(result => cascadeOf(result.id)))
  expect(chosen).toEqual(['fr_b2b_fast', 'fr_b2b_standard', 'fr_b2b_standard', 'fr_b2b_fast'])
})

it('what was imported asleep takes the cascade that fits when it is started', async () => {
  const fixture = await newScoreFixture(installation)
  const debtorId = await knownFor(fixture, 'business', 20)
  const { results } = await fixture.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    autoStartWorkflow: false,
    invoices: [
      {
        invoiceNumber: 'S-1',
        amountCents: 120_000,
        issueDate: '2026-09-15',
        dueDate: '2026-10-15',
        debtor: { id: debtorId },
      },
    ],
  })
  const { id } = results[0]!
  expect(await cascadeOf(id)).toBe('fr_b2b_standard')
  await eventually(
    () => installation.sql('select 1 from score_marks'),
    rows => rows.length === 0,
  )
  await installation.sql('update debtor_scores set score = 120 where debtor_id = $1', [debtorId])
  expect((await fixture.trigger(id, { action: 'start' })).status).toBe(200)
  expect(await cascadeOf(id)).toBe('fr_b2b_fast')
})

it('no score of a person chooses a cascade of one’s own that brings the letter nearer, and one of a business does', async () => {
  const fixture = await newScoreFixture(installation)
  await fixture.done('POST', '/api/v1/cascades', {
    name: 'hard',
    steps: [
      { name: 'email_prise_en_charge', day: 0 },
      { name: 'lrar_mise_en_demeure', day: 5 },
      { name: 'revue_judiciaire', day: 20 },
    ],
    applies: { minScore: 101 },
  })
  const person = await fixture.invoice({ debtor: { id: await knownFor(fixture, 'consumer', 180) } })
  const business = await fixture.invoice({ debtor: { id: await knownFor(fixture, 'business', 180) } })
  expect([await cascadeOf(person.id), await cascadeOf(business.id)]).toEqual(['fr_consumer', 'hard'])
})
