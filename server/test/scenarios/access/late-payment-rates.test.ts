import { expect, it } from 'vitest'
import { addRate, listRates } from '../../../src/features/access/companies/late-payment-rates.ts'
import { doctor } from '../../../src/start/doctor.ts'
import { command, operatorCalls } from '../../harness/operator.ts'
import { publishedRates } from '../../harness/rates.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation' })
const operator = operatorCalls(installation)
const run = command(installation)

const november = Date.parse('2026-11-16T09:00:00Z')
const secondHalf = {
  kind: 'ecb',
  startsOn: '2026-07-01',
  bps: 200,
  source: 'European Central Bank, press release',
}
const add = (rate: Partial<typeof secondHalf>, replaces = false) =>
  operator.withContext(context =>
    addRate({ ...context, wall: november }, { ...secondHalf, ...rate }, { replaces }),
  )
const aboutRates = async () => {
  const findings = await operator.withContext(({ pool }) => doctor(pool, november, {}))
  return findings.find(({ text }) => text.includes('late payment'))!
}

it('a new installation knows the published rates from 2021 on, each with its source and the day it was checked', async () => {
  const rates = await operator.withContext(({ pool }) => listRates(pool))
  expect(
    rates.map(({ kind, starts_on, rate_bps }) => ({ kind, startsOn: starts_on, bps: rate_bps })),
  ).toEqual(publishedRates)
  for (const { source, verified_on } of rates) {
    expect(source.length).toBeGreaterThan(20)
    expect(verified_on).toMatch(/^2026-11-1\d$/)
  }
})

it('what cannot be a rate of a half-year is refused with what to say instead', async () => {
  for (const [rate, sentence] of [
    [{ startsOn: '2026-08-01' }, 'first day of a half-year'],
    [{ startsOn: '2026-07-32' }, 'first day of a half-year'],
    [{ startsOn: '1998-07-01' }, 'first day of a half-year'],
    [{ startsOn: '2027-01-01' }, 'is known from then on'],
    [{ bps: 1_215 }, 'without the points that the law adds'],
    [{ source: ' ' }, '--source'],
    [{ kind: 'euribor' }, '--kind ecb or --kind legal'],
  ] as const)
    await expect(add(rate)).rejects.toThrow(sentence)
  expect(await run('rates', 'add', '--from', '2026-07-01')).toMatchObject({ code: 2 })
  expect(await run('rates', 'add', '--from', '2026-07-01', '--rate-bps', '2.15')).toMatchObject({ code: 2 })
})

it('the unknown half-year is not claimed until the operator adds it, and a known one is never overwritten in silence', async () => {
  expect(await aboutRates()).toMatchObject({ isNote: true, text: expect.stringContaining('2026-07-01') })
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({
    issueDate: '2026-09-01',
    dueDate: '2026-10-15',
    debtor: lyonDebtor('Durand SARL'),
  })
  const lastBody = async () =>
    (await sandbox.messages()).find(({ subject }) => subject?.includes('paiement attendu'))?.body
  expect(await add({})).toEqual({ isChanged: true, replacedBps: null })
  expect(await add({})).toEqual({ isChanged: false, replacedBps: null })
  await expect(add({ bps: 190 })).rejects.toThrow(
    'The rate of 2026-07-01 is known: 200 (European Central Bank',
  )
  expect((await aboutRates())?.text).not.toContain('2026-07-01')
  await sandbox.advanceToDay('2026-12-05')
  // From the rate that was added: 2.00 % and 10 points.
  expect(await lastBody()).toMatch(/au taux de 12,00\s% l’an/)

  expect(await add({ bps: 190 }, true)).toEqual({ isChanged: true, replacedBps: 200 })
  expect((await run('rates', 'list')).out).toMatch(/ecb {4}2026-07-01 {3}1\.90 % {2}checked \d{4}-\d\d-\d\d/)
  expect(
    await installation.sql(
      `select rate_bps, replaced_by from late_payment_rates where starts_on = '2026-07-01' order by rate_bps`,
    ),
  ).toEqual([
    { rate_bps: 190, replaced_by: null },
    { rate_bps: 200, replaced_by: 'operator' },
  ])
})
