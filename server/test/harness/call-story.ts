import { afterAll, beforeAll } from 'vitest'
import { answerCall } from '../../dev/stand-ins/twilio-relay.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import type { Site } from '../../src/kit/http/site.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { authToken, type Ringing, useCallingWorker, voiceEnv } from './calling-worker.ts'
import { eventually, useHouse } from './house.ts'
import { inSteps, type Part, useScriptedModel } from './scripted-model.ts'

type Line = { action: string; status: string; details: string }
type Options = Partial<Parameters<typeof answerCall>[1]>

/** A tool the model would like to use. */
export const wants = (name: string, args: object = {}): Part => ({ wants: [{ name, args }] })

/** A house that calls, a model that plays its part, and what can be read of a call afterwards. */
export function useCallStory() {
  const model = useScriptedModel()
  Object.assign(model.env, voiceEnv)
  const house = useHouse({ env: model.env, hasWorker: false })
  const { ring } = useCallingWorker(house)

  /** Another api beside the house's own, without a door: it hears what the provider says. */
  const site = {} as { -readonly [K in keyof Site]: Site[K] }
  beforeAll(() => {
    Object.assign(site, {
      pool: createPool({
        url: house.database.env.API_DATABASE_URL,
        role: 'relance-api',
        max: 2,
        statementTimeoutMs: 2_000,
      }),
      clock: systemClock,
      newId: uuidv7,
      keyring: keyring(house.installation.config.KEYRING!),
      log: createLog('silent', 'api'),
      publicUrl: house.installation.baseUrl,
    })
  })
  afterAll(() => site.pool?.end())

  const answer = (ringing: Ringing, options: Options = {}) =>
    answerCall(ringing.call, { authToken, ...options })
  const read = async <Data>(path: string) => (await house.call<Data>('GET', path)).body.data
  const callOf = async ({ communicationId }: Ringing) =>
    (
      await house.sql<{ outcome: string; note: string; ended_at: Date | null }>(
        'select outcome, note, ended_at from calls where communication_id = $1',
        [communicationId],
      )
    )[0]
  const historyOf = ({ invoiceId }: Ringing) => read<Line[]>(`/api/v1/workflow/invoice/${invoiceId}/history`)

  return {
    model,
    house,
    site,
    ring,
    answer,
    /** A call on which the person has said who they are. */
    async answered(ringing: Ringing, options: Options = {}) {
      const peer = await answer(ringing, options)
      await peer.listen()
      model.play(inSteps(wants('identity_confirmed'), { says: 'Quand pensez-vous régler ?' }))
      await peer.prompt('Oui, c’est moi.')
      return peer
    },
    callOf,
    closed: (ringing: Ringing) =>
      eventually(
        () => callOf(ringing),
        row => row?.ended_at != null,
      ),
    historyOf,
    outcomesIn: async (ringing: Ringing) =>
      (await historyOf(ringing))
        .filter(({ action }) => action === 'call_outcome')
        .map(({ details }) => details),
    workflowOf: ({ invoiceId }: Ringing) => read<{ status: string }>(`/api/v1/workflow/invoice/${invoiceId}`),
    invoiceOf: ({ invoiceId }: Ringing) =>
      read<{ status: string; balanceCents: number; paidCents: number }>(`/api/v1/invoices/${invoiceId}`),
    contactsOf: ({ debtorId }: Ringing) =>
      read<{
        closedChannels: { channel: string; because: string }[]
        contacts: { channel: string; call: unknown }[]
      }>(`/api/v1/debtors/${debtorId}/contacts`),
  }
}
