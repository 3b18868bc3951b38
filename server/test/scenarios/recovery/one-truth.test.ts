import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  brevo,
  type Carrier,
  type Mood,
  maileva,
  ovhcloud,
  twilioSms,
  twilioVoice,
} from '../../harness/carriers.ts'
import { eventually, mondayMorning, useHouse } from '../../harness/house.ts'

const sunday = Date.parse('2026-11-15T10:00:00+01:00')
let people = 0

/** Whatever a provider does with a message and says of it: there is one message, and one truth about it. */
function tellsOneTruth(name: string, start: () => Promise<Carrier>): void {
  describe(name, () => {
    const env: Record<string, string> = { LEASE_MS: '1000', REDRIVE_MS: '1200', LATE_MS: '1500' }
    let carrier: Carrier
    beforeAll(async () => {
      carrier = await start()
      Object.assign(env, carrier.env(carrier.url))
    })
    afterAll(() => carrier.stop())
    const house = useHouse({ env })

    const messagesOf = (debtorId: string) =>
      house.sql<{ code: string; state: string }>(
        `select m.code, c.state from communications c join message_codes m on m.communication_id = c.id
          where c.debtor_id = $1 order by c.reserved_at`,
        [debtorId],
      )

    /** Somebody whose next step is this provider's, and whose address asks it for a mood. */
    async function written(mood: Mood | null, isDone: (states: string[]) => boolean) {
      await house.setNow(sunday)
      await house.call('PUT', '/api/v1/company', {
        body: { address: '4 rue du Port', postalCode: '44000', city: 'Nantes' },
      })
      const who = String(++people).padStart(2, '0')
      const { body } = await house.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
        body: {
          invoiceNumber: `T-${who}`,
          amountCents: 120_000,
          issueDate: '2026-09-15',
          dueDate: '2026-10-15',
          debtor: {
            name: `Durand ${who} SARL`,
            email: `${mood ?? 'well'}+${who}@durand.example`,
            phone: `+336${who}00${mood ? `000${carrier.moods[mood]}` : '1234'}`,
            address: `${mood ?? 'Grande'} rue ${who}`,
            postalCode: '69002',
            city: 'Lyon',
          },
        },
      })
      const { id, debtor } = body.data
      await house.sql('update recoveries set step = $2, due_at = $3 where invoice_id = $1', [
        id,
        carrier.step,
        new Date(mondayMorning).toISOString(),
      ])
      await house.setNow(mondayMorning + 60_000)
      await house.sql(
        'update agendas set wake_at = clock_timestamp(), wake_gen = wake_gen + 1 where debtor_id = $1',
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
        left: carrier.effects().filter(code => codes.has(code)).length,
      }
    }

    const history = async (invoiceId: string) =>
      (
        await house.call<{ action: string; status: string }[]>(
          'GET',
          `/api/v1/workflow/invoice/${invoiceId}/history`,
        )
      ).body.data.filter(({ action }) => action === carrier.stepName)

    it.each(['as they happened', 'the other way round'])(
      'news told twice, %s and once forged, ends as what weighs most',
      async order => {
        const { code, debtorId, invoiceId, left } = await written(null, states => states[0] === 'sent')
        expect(left).toBe(1)
        const url = house.installation.baseUrl
        const [, stronger] = carrier.news
        expect(await carrier.tell(url, code, stronger, true)).toBe(401)
        expect((await messagesOf(debtorId))[0]!.state).toBe('sent')
        const told = order === 'as they happened' ? carrier.news : carrier.news.toReversed()
        for (const says of told)
          for (let i = 0; i < 2; i++) expect(await carrier.tell(url, code, says)).toBeLessThan(300)
        expect((await messagesOf(debtorId)).map(({ state }) => state)).toEqual([carrier.ends])
        expect(await history(invoiceId)).toMatchObject([{ status: carrier.ends }])
        const [heard] = await house.sql<{ n: number }>(
          `select count(*)::int as n from contact_ledger where debtor_id = $1 and entry like '%"kind":"outcome"%'`,
          [debtorId],
        )
        expect(heard!.n).toBe(order === 'as they happened' ? 2 : 1)
      },
    )

    it('an answer that was lost is asked for, and the message left once', async () => {
      const { left, states } = await written(
        'lost',
        ([state]) => state !== undefined && !['reserved', 'sending'].includes(state),
      )
      expect([states, left]).toEqual([['sent'], 1])
    })

    it.each(['throttled', 'broken'] as const)('%s, nothing left, and it is tried again later', async mood => {
      const { left, states, invoiceId } = await written(mood, ([state]) => state === 'failed')
      expect([states, left]).toEqual([['failed'], 0])
      const [recovery] = await house.sql(
        'select attempt, due_at is not null as is_due from recoveries where invoice_id = $1',
        [invoiceId],
      )
      expect(recovery).toEqual({ attempt: 1, is_due: true })
    })
  })
}

tellsOneTruth('Brevo', brevo)
tellsOneTruth('OVHcloud', ovhcloud)
tellsOneTruth('Twilio, text messages', twilioSms)
tellsOneTruth('Twilio, calls', twilioVoice)
tellsOneTruth('Maileva', maileva)
