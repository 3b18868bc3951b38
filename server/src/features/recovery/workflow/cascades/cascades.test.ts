import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox } from '../../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../../test/harness/use-installation.ts'
import { builtInCascades } from '../../../../domain/recovery/cascade.ts'

const installation = useInstallation()
const path = '/api/v1/cascades'

interface Step {
  name: string
  channel: string | null
  day: number
}
interface Cascade {
  name: string
  version: number
  builtIn: boolean
  enabled: boolean
  applies: Record<string, unknown> | null
  steps: Step[]
  versions?: { version: number; steps: Step[] }[]
}

const first = { name: 'email_prise_en_charge', day: 0 }
const review = (day: number) => ({ name: 'revue_judiciaire', day })
const short = [first, { name: 'relance_email_1', day: 4 }, review(10)]

it('the list has one’s own first and then those built in, with their steps', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', path, { name: 'patient', steps: short, applies: { debtorTypes: ['consumer'] } })
  const [own, ...others] = await sandbox.done<Cascade[]>('GET', path)
  expect(own).toMatchObject({ name: 'patient', version: 1, builtIn: false, enabled: true })
  expect(own!.applies).toEqual({ debtorTypes: ['consumer'] })
  expect(own!.steps[1]).toEqual({ name: 'relance_email_1', channel: 'email', day: 4 })
  expect(others.map(({ name }) => name)).toEqual(builtInCascades.map(({ name }) => name))
  expect(others.every(cascade => cascade.builtIn && cascade.applies === null)).toBe(true)
  const standard = await sandbox.done<Cascade>('GET', `${path}/fr_b2b_standard`)
  expect(standard.steps).toEqual(builtInCascades[0]!.steps)
  expect((await sandbox.call('GET', `${path}/nobody_has_it`)).status).toBe(404)
})

it('a name is taken once, and those built in are nobody’s to take or to change', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', path, { name: 'mine', steps: short })
  for (const name of ['mine', 'fr_consumer']) {
    const answer = await sandbox.call('POST', path, { name, steps: short })
    expect([answer.status, answer.body.error.code], name).toEqual([409, 'RES_002'])
  }
  const change = await sandbox.call('PUT', `${path}/fr_consumer`, { enabled: false })
  expect([change.status, change.body.error.code]).toEqual([409, 'RES_003'])
  expect((await sandbox.call('PUT', `${path}/nobody_has_it`, { enabled: false })).status).toBe(404)
})

it.each([
  [[first], 'steps', 'must be 2 to 20 steps'],
  [[review(0), review(9)], 'steps[0].name', 'must be email_prise_en_charge'],
  [
    [first, { name: 'sms_reminder', day: 2 }, review(9)],
    'steps[1].day',
    '3 days after email_prise_en_charge',
  ],
  [[first, { name: 'fax', day: 5 }, review(9)], 'steps[1].name', 'must be one of email_prise_en_charge'],
  [[first, { name: 'lrar_mise_en_demeure', day: 5 }, review(12)], 'steps[2].day', 'gives 8 days to pay'],
  [
    [first, { name: 'relance_email_1', day: 5, channel: 'sms' }, review(9)],
    'steps[1].channel',
    'not a field',
  ],
])('%j is refused: %s %s', async (steps, field, message) => {
  const answer = await installation.call('POST', path, { body: { name: 'faulty', steps } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  const fault = answer.body.error.details?.find(detail => detail.field === field)
  expect(fault?.message).toContain(message)
})

it('a range the wrong way round is meant for nobody, and refused', async () => {
  const applies = { minAmountCents: 200, maxAmountCents: 100, minScore: 3, maxScore: 2 }
  const answer = await installation.call('POST', path, { body: { name: 'faulty', steps: short, applies } })
  expect(answer.body.error.details?.map(({ field }) => field)).toEqual([
    'applies.maxAmountCents',
    'applies.maxScore',
  ])
})

it('a new invoice takes one’s own cascade; a new version leaves the running recovery its own', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', path, {
    name: 'mine',
    steps: [first, { name: 'relance_email_2', day: 6 }, review(20)],
    applies: { debtorTypes: ['business'], minAmountCents: 100_000 },
  })
  const before = await sandbox.invoice({ debtor: lyonDebtor('Avant SARL') })
  const small = await sandbox.invoice({ debtor: lyonDebtor('Petit SARL'), amountCents: 20_000 })
  const changed = await sandbox.done<Cascade>('PUT', `${path}/mine`, {
    steps: [first, { name: 'sms_reminder', day: 3 }, review(9)],
  })
  expect(changed).toMatchObject({
    version: 2,
    applies: { debtorTypes: ['business'], minAmountCents: 100_000 },
  })
  const after = await sandbox.invoice({ debtor: lyonDebtor('Après SARL') })
  await sandbox.advanceToDay('2026-12-10')
  expect(historyLines(await sandbox.history(before.id))).toEqual([
    '2026-11-16 email_prise_en_charge sent',
    '2026-11-23 relance_email_2 sent',
    '2026-12-07 revue_judiciaire done',
  ])
  expect(historyLines(await sandbox.history(after.id))).toEqual([
    '2026-11-16 email_prise_en_charge sent',
    '2026-11-19 sms_reminder sent',
    '2026-11-25 revue_judiciaire done',
  ])
  expect(historyLines(await sandbox.history(small.id))[1]).toBe('2026-11-21 relance_email_1 sent')
  const { versions } = await sandbox.done<Cascade>('GET', `${path}/mine`)
  expect(versions!.map(({ version, steps }) => [version, steps[1]!.name])).toEqual([
    [2, 'sms_reminder'],
    [1, 'relance_email_2'],
  ])
})

it('switched off, a cascade is taken by nobody new and stays with those who have it, in the same version', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', path, { name: 'mine', steps: short })
  const old = await sandbox.invoice({ debtor: lyonDebtor('Ancien SARL') })
  expect(await sandbox.done('PUT', `${path}/mine`, { enabled: false })).toMatchObject({
    version: 1,
    enabled: false,
  })
  const fresh = await sandbox.invoice({ debtor: lyonDebtor('Nouveau SARL') })
  await sandbox.advanceToDay('2026-12-01')
  expect(historyLines(await sandbox.history(old.id)).at(-1)).toContain('revue_judiciaire')
  expect(historyLines(await sandbox.history(fresh.id)).at(-1)).toBe('2026-11-30 relance_email_2 sent')
  // Said again, it is the same version still; said otherwise, it is not.
  expect(await sandbox.done('PUT', `${path}/mine`, { steps: short, applies: {} })).toMatchObject({
    version: 1,
  })
  expect(await sandbox.done('PUT', `${path}/mine`, { applies: { minScore: 1 } })).toMatchObject({
    version: 2,
  })
})

it('ten changes at once make ten versions, of which one is present', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', path, { name: 'mine', steps: short })
  const changes = Array.from({ length: 10 }, (_, i) =>
    sandbox.done<Cascade>('PUT', `${path}/mine`, { steps: [first, review(30 + i)] }),
  )
  const versions = (await Promise.all(changes)).map(({ version }) => version)
  expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(await sandbox.done('GET', `${path}/mine`)).toMatchObject({ version: 11 })
})

it('whatever a cascade says, nobody hears from us more often than the caps allow', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('PUT', '/api/v1/company', { caps: { contactsPerWeek: 1 } })
  await sandbox.done('POST', path, {
    name: 'hasty',
    steps: [
      first,
      { name: 'sms_reminder', day: 3 },
      { name: 'relance_email_1', day: 6 },
      { name: 'relance_email_2', day: 9 },
      review(12),
    ],
  })
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Pressé SARL') })
  await sandbox.advance('P30D')
  const sent = (await sandbox.history(id)).filter(({ status }) => status === 'sent')
  expect(sent.map(({ action }) => action)).toEqual([
    'email_prise_en_charge',
    'sms_reminder',
    'relance_email_1',
    'relance_email_2',
  ])
  const moments = sent.map(({ executedAt }) => Date.parse(executedAt))
  const week = 7 * 24 * 3_600_000
  for (const [i, at] of moments.slice(1).entries()) expect(at - moments[i]!).toBeGreaterThanOrEqual(week)
})

it('more than a hundred are refused: each of them is looked at for every new invoice', async () => {
  const sandbox = await newSandbox(installation)
  await installation.sql(
    `insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
     select $1, 'own_' || i, 1, '[]', '{}', false, true, timestamptz '2026-11-16' from generate_series(1, 99) i`,
    [sandbox.tenantId],
  )
  await sandbox.done('POST', path, { name: 'the_hundredth', steps: short })
  const answer = await sandbox.call('POST', path, { name: 'one_more', steps: short })
  expect([answer.status, answer.body.error.code]).toEqual([409, 'RES_003'])
})
