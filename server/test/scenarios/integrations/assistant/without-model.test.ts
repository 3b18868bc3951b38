import { expect, it } from 'vitest'
import { assistantCalls } from '../../../harness/assistant-calls.ts'
import { useInstallation } from '../../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined, hasWorker: false })
const { chat } = assistantCalls(installation)

it('without a model the assistant answers SVC_001, keeps nothing, and everything else works', async () => {
  const answer = await chat({ message: 'Hello' })
  expect([answer.status, answer.body.error.code]).toEqual([503, 'SVC_001'])
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await installation.sql('select from conversations')).toEqual([])
  expect((await installation.call('GET', '/api/v2/agent/conversations')).status).toBe(200)
})

it('what is wrong with the request is said first', async () => {
  expect((await chat({})).body.error.code).toBe('VAL_001')
})
