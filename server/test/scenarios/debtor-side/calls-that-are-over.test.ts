import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { closeCall } from '../../../src/features/debtor-side/calls/call-record.ts'
import { onCall, readCall } from '../../../src/features/debtor-side/calls/read-call.ts'
import { program } from '../../chaos/part.ts'
import { useCallStory, wants } from '../../harness/call-story.ts'
import { type Ringing, voiceEnv } from '../../harness/calling-worker.ts'
import { inSteps } from '../../harness/scripted-model.ts'

const { model, house, ring, answer, answered, callOf, outcomesIn, workflowOf, site } = useCallStory()

describe('a call that is over', () => {
  const liveCall = async (ringing: Ringing) =>
    (await readCall(site, ringing.call.statusCallback.split('/').at(-1)!))!
  const providerSays = async (
    ringing: Ringing,
    call: Awaited<ReturnType<typeof liveCall>>,
    how: 'over' | 'unreachable' | 'voicemail',
  ) => onCall(site, call, world => closeCall(world, ringing.communicationId, how))

  it('leaves one outcome, whoever comes first and however often', async () => {
    const ringing = await ring()
    const call = await liveCall(ringing)
    const peer = await answered(ringing)
    model.play(inSteps(wants('record_promise', { date: '2026-11-27' }), { says: 'Noté.' }))
    await peer.prompt('Le 27.')
    // The provider says so first; the conversation comes after it.
    await Promise.all([providerSays(ringing, call, 'over'), providerSays(ringing, call, 'over')])
    expect(await callOf(ringing)).toMatchObject({ outcome: 'promise' })
    await peer.hangUp()
    await providerSays(ringing, call, 'over')
    expect(
      await house.sql('select 1 from calls where communication_id = $1', [ringing.communicationId]),
    ).toHaveLength(1)
    expect(await outcomesIn(ringing)).toEqual(['A payment was promised: for 2026-11-27'])
  })

  it('what was said after the provider closed it still counts', async () => {
    const ringing = await ring()
    const call = await liveCall(ringing)
    const peer = await answered(ringing)
    model.play(async () => {
      await providerSays(ringing, call, 'over')
      return wants('opt_out')
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
    const asked = model.heard.length
    peer.send({ type: 'prompt', voicePrompt: 'Laissez un message après le bip.', last: true })
    await peer.ended
    expect(model.heard.length).toBe(asked)
    expect((await callOf(machine))!.outcome).toBe('voicemail')
    expect(await outcomesIn(machine)).toEqual(['A machine answered; nothing was left on it.'])
  })
})

it('a process that is killed on the telephone leaves what was done, and one outcome', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'relance-call-'))
  const port = await freePort()
  const api = program({
    role: 'api',
    name: 'api on the telephone',
    env: {
      ...model.env,
      ...voiceEnv,
      RELANCE_ENV: 'development',
      API_DATABASE_URL: house.database.env.API_DATABASE_URL,
      KEYRING: house.installation.config.KEYRING!,
      PORT: String(port),
      LOG_LEVEL: 'info',
    },
    logFile: join(directory, 'api.log'),
    onOwnEnd: () => {},
  })
  await api.start()
  const ringing = await ring()
  const call = (await readCall(site, ringing.call.statusCallback.split('/').at(-1)!))!
  const peer = await answered(ringing, { url: `ws://127.0.0.1:${port}/calls/${call.code}` })
  model.play(inSteps(wants('record_promise', { date: '2026-11-27' }), { says: 'Noté.' }))
  await peer.prompt('Le 27.')
  await api.kill()
  await rm(directory, { recursive: true })
  expect((await peer.ended).saidSo).toBe(false)
  expect(await callOf(ringing)).toMatchObject({ outcome: 'promise', ended_at: null })
  expect((await workflowOf(ringing)).status).toBe('paused')
  // Twilio says that it is over, twice.
  for (let time = 0; time < 2; time++)
    await onCall(site, call, world => closeCall(world, ringing.communicationId, 'over'))
  expect(await callOf(ringing)).toMatchObject({ outcome: 'promise', ended_at: expect.any(Date) })
  expect(await outcomesIn(ringing)).toEqual(['A payment was promised: for 2026-11-27'])
})
