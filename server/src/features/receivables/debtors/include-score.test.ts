import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

it('a debtor is read with its score, in the language asked for', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', lyonDebtor('Score SARL'))
  const path = `/api/v1/debtors/${debtor.id}`
  type Score = { score: number; factors: string[]; lastUpdated: string }
  const read = async (language: string) => {
    const { score } = await sandbox.done<{ score: Score }>(
      'GET',
      `${path}?include=score&language=${language}`,
    )
    const { lastUpdated: _, ...alone } = await sandbox.done<Score>(
      'GET',
      `${path}/score?language=${language}`,
    )
    expect(score).toMatchObject(alone)
    return score
  }
  const [french, english] = [await read('fr'), await read('en')]
  expect(french.score).toBe(english.score)
  expect(french).not.toEqual(english)
  expect(await sandbox.done('GET', path)).not.toHaveProperty('score')
})
