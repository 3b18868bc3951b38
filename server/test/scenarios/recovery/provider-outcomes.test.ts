import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  brevo,
  type Mood,
  maileva,
  ovhcloud,
  type ProviderStandIn,
  twilioSms,
  twilioVoice,
} from '../../harness/provider-stand-ins.ts'
import { eventually, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const sunday = Date.parse('2026-11-15T10:00:00+01:00')
let people = 0

/** Whatever a provider does with a message and reports about it: there is one message with one final state. */
function checkProvider(name: string, start: () => Promise<ProviderStandIn>): void {
  describe(name, () => {
    const env: Record<string, string> = {
      LEASE_MS: '4000',
      RECLAIM_AFTER_MS: '4500',
      WAKE_TIMEOUT_MS: '5000',
      NEVER_SEEN_AFTER_MS: '6000',
    }
    let standIn: ProviderStandIn
    beforeAll(async () => {
      standIn = await start()
      Object.assign(env, standIn.env(standIn.url))
    })
    afterAll(() => standIn.stop())
    const installation = useInstallation({ own: 'moves the clock', env })

    const messagesOf = (debtorId: string) =>
      installation.sql<{ code: string; state: string }>(
        `select m.code, c.state from communications c join message_codes m on m.communication_id = c.id
          where c.debtor_id = $1 order by c.reserved_at`,
        [debtorId],
      )

    /** Sends a message of this provider's step to a debtor whose address selects the stand-in's mood. */
    async function messageTo(mood: Mood | null, isDone: (states: string[]) => boolean) {
      await installation.setNow(sunday)
      await installation.call('PUT', '/api/v1/company', {
        body: { address: '4 rue du Port', postalCode: '44000', city: 'Nantes', siren: '732829320' },
      })
      const serial = String(++people).padStart(2, '0')
      const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
        'POST',
        '/api/v1/invoices',
        {
          body: {
            invoiceNumber: `T-${serial}`,
            amountCents: 120_000,
            issueDate: '2026-09-15',
            dueDate: '2026-10-15',
            debtor: {
              name: `Durand ${serial} SARL`,
              email: `${mood ?? 'well'}+${serial}@durand.example`,
              phone: `+336${serial}00${mood ? `000${standIn.moods[mood]}` : '1234'}`,
              address: `${mood ?? 'Grande'} rue ${serial}`,
              postalCode: '69002',
              city: 'Lyon',
            },
          },
        },
      )
      const { id, debtor } = body.data
      await installation.sql(
        'update recoveries set step = $2, wish_at = $3, due_at = $3 where invoice_id = $1',
        [id, standIn.step, new Date(mondayMorning).toISOString()],
      )
      await installation.setNow(mondayMorning + 60_000)
      await installation.sql(
        'update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = $1',
        [debtor.id],
      )
      const messages = await eventually(
        () => messagesOf(debtor.id),
        rows => isDone(rows.map(({ state }) => state)),
      )
      const codes = new Set(messages.map(({ code }) => code))
      return {
        invoiceId: id,
        debtorId: debtor.id,
        code: messages[0]!.code,
        states: messages.map(({ state }) => state),
        left: standIn.sentCodes().filter(code => codes.has(code)).length,
      }
    }

    const history = async (invoiceId: string) =>
      (
        await installation.call<{ action: string; status: string }[]>(
          'GET',
          `/api/v1/workflow/invoice/${invoiceId}/history`,
        )
      ).body.data.filter(({ action }) => action === standIn.stepName)

    it.each(['as they happened', 'the other way round'])(
      'events reported twice, %s and once forged, end in the state that outweighs the others',
      async order => {
        const { code, debtorId, invoiceId, left } = await messageTo(null, states => states[0] === 'sent')
        expect(left).toBe(1)
        const url = installation.server.baseUrl
        const [, stronger] = standIn.events
        expect(await standIn.sendCallback(url, code, stronger, true)).toBe(401)
        expect((await messagesOf(debtorId))[0]!.state).toBe('sent')
        const events = order === 'as they happened' ? standIn.events : standIn.events.toReversed()
        for (const event of events)
          for (let i = 0; i < 2; i++) expect(await standIn.sendCallback(url, code, event)).toBeLessThan(300)
        expect((await messagesOf(debtorId)).map(({ state }) => state)).toEqual([standIn.finalState])
        expect(await history(invoiceId)).toMatchObject([{ status: standIn.finalState }])
        const [outcomes] = await installation.sql<{ n: number }>(
          `select count(*)::int as n from contact_ledger where debtor_id = $1 and entry like '%"kind":"outcome"%'`,
          [debtorId],
        )
        expect(outcomes!.n).toBe(order === 'as they happened' ? 2 : 1)
      },
    )

    it('an answer that was lost is asked for, and the message left once', async () => {
      const { left, states } = await messageTo(
        'lost',
        ([state]) => state !== undefined && !['reserved', 'sending'].includes(state),
      )
      expect([states, left]).toEqual([['sent'], 1])
    })

    const recoveryOf = async (invoiceId: string) =>
      (
        await installation.sql(
          'select attempt, due_at is not null as is_due from recoveries where invoice_id = $1',
          [invoiceId],
        )
      )[0]

    it('throttled, nothing left, and no attempt is used up', async () => {
      const { left, states, invoiceId } = await messageTo('throttled', ([state]) => state === 'lapsed')
      expect([states, left]).toEqual([['lapsed'], 0])
      expect(await recoveryOf(invoiceId)).toEqual({ attempt: 0, is_due: true })
    })

    it('broken, the provider says that it never saw the message, and it is tried again', async () => {
      const { left, states, invoiceId } = await messageTo('broken', ([state]) => state === 'failed')
      expect([states, left]).toEqual([['failed'], 0])
      expect(await recoveryOf(invoiceId)).toEqual({ attempt: 1, is_due: true })
    })
  })
}

checkProvider('Brevo', brevo)
checkProvider('OVHcloud', ovhcloud)
checkProvider('Twilio, text messages', twilioSms)
checkProvider('Twilio, calls', twilioVoice)
checkProvider('Maileva', maileva)
