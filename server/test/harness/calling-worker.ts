import { afterAll, beforeAll } from 'vitest'
import { type PlacedCall, startTwilioCalls, type TwilioCalls } from '../../dev/stand-ins/twilio-calls.ts'
import { twilioVoice } from '../../src/adapters/voice/twilio.ts'
import { sendClaimed } from '../../src/features/recovery/messages/send/send-message.ts'
import type { WorkerContext } from '../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../src/features/recovery/wake/wake-debtor.ts'
import { invoiceInput, type TestInstallation } from './use-installation.ts'
import { workerWithoutLoop } from './worker-without-loop.ts'

export const callerId = '+33162000001'
export const authToken = 'twilio-auth-token'

/** What an installation needs to make calls, but for its model. */
export const voiceEnv = {
  VOICE_PROVIDER: 'twilio',
  VOICE_CALLER_ID: callerId,
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: authToken,
}

export interface RingingCall {
  invoiceId: string
  debtorId: string
  communicationId: string
  number: string
  debtor: string
  call: PlacedCall
}

let phones = 0

/** A worker without a loop: it moves an invoice to its call step and places the call at the stand-in. */
export function useCallingWorker(installation: TestInstallation) {
  let worker: WorkerContext
  let twilio: TwilioCalls
  const closes: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    twilio = await startTwilioCalls({ authToken })
    const voice = twilioVoice({
      baseUrl: twilio.url,
      accountSid: twilio.accountSid,
      authToken,
      callerId,
      publicUrl: installation.server.baseUrl,
    })
    const baseWorker = workerWithoutLoop(installation.database, { connections: 2, reclaimAfterMs: 75_000 })
    worker = { ...baseWorker, channelsFor: tenant => ({ ...baseWorker.channelsFor(tenant), voice }) }
    closes.push(
      () => baseWorker.stop(),
      () => voice.close(),
      () => twilio.stop(),
    )
    await installation.sql(`update installation set missing_channels = '{}'`)
  })
  afterAll(async () => {
    for (const close of closes) await close()
  })
  return {
    twilio: () => twilio,
    /** Looks at the debtor again, as if it were due now; what kind of work follows, or null for none. */
    async wakeAgain({ debtorId }: Pick<RingingCall, 'debtorId'>): Promise<string | null> {
      const [agenda] = await installation.sql<{ tenant_id: string; wake_generation: string }>(
        'select tenant_id, wake_generation from agendas where debtor_id = $1',
        [debtorId],
      )
      const { tenant_id: tenantId, wake_generation } = agenda!
      const woken = await wakeDebtor(worker, { tenantId, debtorId, generation: Number(wake_generation) })
      return woken?.kind ?? null
    },
    /** Creates an invoice, skips every step before the call, and places the call. */
    async ring(
      debtor: Record<string, unknown> = {},
      step = 'ai_call',
      beforeCall: (ids: { tenantId: string; invoiceId: string }) => Promise<unknown> = async () => {},
    ): Promise<RingingCall> {
      const phone = `+3361${String(1_111_000 + ++phones)}`
      const base = invoiceInput()
      const input = { ...base, debtor: { ...base.debtor, phone, type: 'business', ...debtor } }
      const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: input })
      const invoiceId = created.body.data.id
      const steps = { ai_call: 4, ai_call_2: 7 }[step]
      const [row] = await installation.sql<{ tenant_id: string; debtor_id: string; wake_generation: string }>(
        `with moved as (
           update recoveries r set step = $2, due_at = clock_timestamp() + (n.clock_offset_ms - 1000) * interval '1 millisecond'
             from installation n where r.invoice_id = $1 returning r.tenant_id, r.debtor_id)
         select m.tenant_id, m.debtor_id, a.wake_generation
           from moved m join agendas a on a.tenant_id = m.tenant_id and a.debtor_id = m.debtor_id`,
        [invoiceId, steps],
      )
      const { tenant_id: tenantId, debtor_id: debtorId } = row!
      await beforeCall({ tenantId, invoiceId })
      const woken = await wakeDebtor(worker, { tenantId, debtorId, generation: Number(row!.wake_generation) })
      if (woken?.kind !== 'send') throw new Error(`nobody was called: ${JSON.stringify(woken)}`)
      await sendClaimed(worker, woken.claim!, woken.place)
      woken.place?.leave()
      return {
        invoiceId,
        debtorId,
        communicationId: woken.communicationId,
        number: input.invoiceNumber,
        debtor: input.debtor.name,
        call: twilio.calls.find(({ to }) => to === input.debtor.phone)!,
      }
    },
  }
}
