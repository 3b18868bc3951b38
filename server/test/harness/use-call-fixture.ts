import { afterAll, beforeAll } from 'vitest'
import { pickUp } from '../../dev/stand-ins/twilio-calls.ts'
import { answerCall } from '../../dev/stand-ins/twilio-relay.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import type { PageContext } from '../../src/kit/http/pages.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { authToken, type RingingCall, useCallingWorker, voiceEnv } from './calling-worker.ts'
import { type ScriptedReply, useScriptedModel } from './scripted-model.ts'
import { eventually, type TestOptions, useInstallation } from './use-installation.ts'

type Line = { action: string; status: string; details: string }
type Options = Partial<Parameters<typeof answerCall>[1]>

/** A model reply that calls one tool. */
export const callTool = (name: string, args: object = {}): ScriptedReply => ({ toolCalls: [{ name, args }] })

/** An installation that makes calls, a scripted model, and helpers that read what a call left behind. */
export function useCallFixture(options: TestOptions = {}) {
  const model = useScriptedModel()
  Object.assign(model.env, voiceEnv)
  const installation = useInstallation({ ...options, env: model.env, hasWorker: false })
  const { ring, twilio, wakeAgain } = useCallingWorker(installation)

  /** The context of a second api without an HTTP server, for handling provider events directly. */
  const pageContext = {} as { -readonly [K in keyof PageContext]: PageContext[K] }
  beforeAll(() => {
    Object.assign(pageContext, {
      pool: createPool({
        url: installation.database.env.API_DATABASE_URL,
        role: 'relance-api',
        max: 2,
        statementTimeoutMs: 2_000,
      }),
      clock: systemClock,
      newId: uuidv7,
      keyring: keyring(installation.server.config.KEYRING!),
      log: createLog('silent', 'api'),
      publicUrl: installation.server.baseUrl,
    })
  })
  afterAll(() => pageContext.pool?.end())

  const answer = (call: RingingCall, options: Options = {}) =>
    answerCall(call.call, { authToken, ...options })
  const read = async <Data>(path: string) => (await installation.call<Data>('GET', path)).body.data
  const callOf = async ({ communicationId }: RingingCall) =>
    (
      await installation.sql<{ outcome: string; note: string; ended_at: Date | null }>(
        'select outcome, note, ended_at from calls where communication_id = $1',
        [communicationId],
      )
    )[0]
  const historyOf = ({ invoiceId }: RingingCall) =>
    read<Line[]>(`/api/v1/workflow/invoice/${invoiceId}/history`)

  return {
    model,
    installation,
    pageContext,
    ring,
    twilio,
    wakeAgain,
    answer,
    /** Something answers that is not a human: whether anything is spoken. */
    async answeredBy(call: RingingCall, answeredBy: string) {
      await pickUp(call.call, { authToken, answeredBy })
      return { isConnected: call.call.twiml.includes('ConversationRelay') }
    },
    /** Answers a call and passes the check of identity, of a business. */
    async answered(call: RingingCall, options: Options = {}) {
      const peer = await answer(call, options)
      await peer.listen()
      await peer.prompt('Oui.')
      model.setScript(() => ({ text: 'Quand pensez-vous régler ?' }))
      await peer.prompt('Oui, c’est moi.')
      return peer
    },
    callOf,
    closed: (call: RingingCall) =>
      eventually(
        () => callOf(call),
        row => row?.ended_at != null,
      ),
    historyOf,
    outcomesIn: async (call: RingingCall) =>
      (await historyOf(call)).filter(({ action }) => action === 'call_outcome').map(({ details }) => details),
    workflowOf: ({ invoiceId }: RingingCall) =>
      read<{ status: string }>(`/api/v1/workflow/invoice/${invoiceId}`),
    invoiceOf: ({ invoiceId }: RingingCall) =>
      read<{ status: string; balanceCents: number; paidCents: number }>(`/api/v1/invoices/${invoiceId}`),
    contactsOf: ({ debtorId }: RingingCall) =>
      read<{
        closedChannels: { channel: string; because: string }[]
        contacts: { channel: string; call: unknown }[]
      }>(`/api/v1/debtors/${debtorId}/contacts`),
  }
}
