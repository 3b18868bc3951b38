import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { inCallTransaction, readCall } from '../../../src/features/debtor-side/calls/read-call.ts'
import { closeCall } from '../../../src/features/debtor-side/calls/save-call-outcome.ts'
import { productProcess } from '../../chaos/managed-process.ts'
import { type RingingCall, voiceEnv } from '../../harness/calling-worker.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { callTool, useCallFixture } from '../../harness/use-call-fixture.ts'

const { model, installation, ring, twilio, answer, answered, callOf, outcomesIn, workflowOf, pageContext } =
  useCallFixture()

describe('a call that is over', () => {
  const liveCall = async (ringing: RingingCall) =>
    (await readCall(pageContext, ringing.call.statusCallback.split('/').at(-1)!))!
  const providerSays = async (
    ringing: RingingCall,
    call: Awaited<ReturnType<typeof liveCall>>,
    how: 'over' | 'unreachable' | 'voicemail',
  ) => inCallTransaction(pageContext, call, context => closeCall(context, ringing.communicationId, how))

  it('leaves one outcome, whoever comes first and however often', async () => {
    const ringing = await ring()
    const call = await liveCall(ringing)
    const peer = await answered(ringing)
    model.setScript(() => callTool('record_promise', { date: '2026-11-27' }))
    await peer.prompt('Le 27.')
    await peer.prompt('Oui.')
    // The provider's callback comes first, the end of the conversation after it.
    await Promise.all([providerSays(ringing, call, 'over'), providerSays(ringing, call, 'over')])
    expect(await callOf(ringing)).toMatchObject({ outcome: 'promise' })
    await peer.hangUp()
    await providerSays(ringing, call, 'over')
    expect(
      await installation.sql('select 1 from calls where communication_id = $1', [ringing.communicationId]),
    ).toHaveLength(1)
    expect(await outcomesIn(ringing)).toEqual(['A payment was promised: for 2026-11-27'])
  })

  it('what was said after the provider closed it still counts', async () => {
    const ringing = await ring()
    const call = await liveCall(ringing)
    const peer = await answered(ringing)
    model.setScript(async () => {
      await providerSays(ringing, call, 'over')
      return callTool('opt_out')
    })
    await peer.prompt('Plus aucun coup de fil de votre part, merci.')
    await peer.hangUp()
    expect((await callOf(ringing))!.outcome).toBe('opt_out')
    expect(await outcomesIn(ringing)).toEqual([
      'The call ended without a result.',
      'The person does not want to be called any more.',
    ])
  })

  it('a call nobody answered is told once, and a machine that answered ends the conversation', async () => {
    const unanswered = await ring()
    await providerSays(unanswered, await liveCall(unanswered), 'unreachable')
    expect(await outcomesIn(unanswered)).toEqual(['Nobody was reached.'])

    const machine = await ring()
    const call = await liveCall(machine)
    const peer = await answer(machine)
    await peer.listen()
    await providerSays(machine, call, 'voicemail')
    const asked = model.requests.length
    peer.send({ type: 'prompt', voicePrompt: 'Laissez un message après le bip.', last: true })
    await peer.ended
    expect(model.requests.length).toBe(asked)
    expect((await callOf(machine))!.outcome).toBe('voicemail')
    expect(await outcomesIn(machine)).toEqual(['A machine answered; nothing was left on it.'])
  })
})

describe('sending is stopped', () => {
  const operator = operatorCalls(installation)
  afterEach(async () => {
    await operator.resume()
    await operator.open(installation.company.companyId)
  })
  const stops = [
    ['of the installation', () => operator.stop()],
    ['of the company', () => operator.close(installation.company.companyId)],
  ] as const

  it('before the call: nobody is called', async () => {
    await operator.stop()
    const before = twilio().calls.length
    await expect(ring()).rejects.toThrow('nobody was called')
    expect(twilio().calls.length).toBe(before)
  })

  it.each(stops)('while it rings (%s): who answers hears nothing', async (_, stop) => {
    const ringing = await ring()
    await stop()
    await expect(answer(ringing)).rejects.toThrow('hung up')
  })

  it.each(stops)(
    'in a conversation (%s): the model is not asked any more, and nothing is said',
    async (_, stop) => {
      const ringing = await ring()
      const peer = await answered(ringing)
      await stop()
      const [asked, said] = [model.requests.length, peer.spoken.length]
      peer.send({ type: 'prompt', voicePrompt: 'Combien vous dois-je ?', last: true })
      await peer.ended
      expect([model.requests.length, peer.spoken.length]).toEqual([asked, said])
    },
  )

  it.each(stops)('while the model thinks (%s): its words are not said', async (_, stop) => {
    const ringing = await ring()
    const peer = await answered(ringing)
    model.setScript(async () => {
      await stop()
      return { text: `La facture ${ringing.number} est due depuis un mois.` }
    })
    peer.send({ type: 'prompt', voicePrompt: 'De quoi s’agit-il ?', last: true })
    await peer.ended
    expect(peer.spoken.join(' ')).not.toContain(ringing.number)
  })

  it('while the model fails: the prepared text is not read', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    const said = peer.spoken.length
    model.setScript(async () => {
      await operator.stop()
      return { status: 500 }
    })
    peer.send({ type: 'prompt', voicePrompt: 'De quoi s’agit-il ?', last: true })
    await peer.ended
    expect(peer.spoken.slice(said)).toEqual([])
  })

  it('what the person asks for in that moment still counts', async () => {
    const ringing = await ring()
    const peer = await answered(ringing)
    await operator.stop()
    expect(await peer.prompt('Ne m’appelez plus.')).toContain('nous ne vous appellerons plus')
    await peer.ended
    expect((await callOf(ringing))!.outcome).toBe('opt_out')
  })
})

it('a process that is killed on the telephone leaves what was done, and one outcome', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'relance-call-'))
  const port = await freePort()
  const api = productProcess({
    role: 'api',
    name: 'api on the telephone',
    env: {
      ...model.env,
      ...voiceEnv,
      RELANCE_ENV: 'development',
      API_DATABASE_URL: installation.database.env.API_DATABASE_URL,
      KEYRING: installation.server.config.KEYRING!,
      PORT: String(port),
      LOG_LEVEL: 'info',
    },
    logFile: join(directory, 'api.log'),
    onUnexpectedExit: () => {},
  })
  await api.start()
  const ringing = await ring()
  const call = (await readCall(pageContext, ringing.call.statusCallback.split('/').at(-1)!))!
  const peer = await answered(ringing, { url: `ws://127.0.0.1:${port}/calls/${call.code}` })
  model.setScript(() => callTool('record_promise', { date: '2026-11-27' }))
  await peer.prompt('Le 27.')
  await peer.prompt('Oui.')
  await api.kill()
  await rm(directory, { recursive: true })
  expect((await peer.ended).saidEnd).toBe(false)
  expect(await callOf(ringing)).toMatchObject({ outcome: 'promise', ended_at: null })
  expect((await workflowOf(ringing)).status).toBe('paused')
  // Twilio reports the end of the call twice.
  for (let time = 0; time < 2; time++)
    await inCallTransaction(pageContext, call, context => closeCall(context, ringing.communicationId, 'over'))
  expect(await callOf(ringing)).toMatchObject({ outcome: 'promise', ended_at: expect.any(Date) })
  expect(await outcomesIn(ringing)).toEqual(['A payment was promised: for 2026-11-27'])
})
