import { describe, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'

const { installation, stripe, contactedInvoice, visitor, mailsTo, advanceDays } = await useDebtors({
  own: 'moves the clock',
})

const answerTo = async (email: string) =>
  (
    await eventually(
      () => mailsTo(email),
      mails => mails.length === 2,
    )
  )[1]!

/** With a card, and the provider has told us. */
async function payByCard(code: string) {
  const who = visitor()
  await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
  const session = stripe.sessions().at(-1)!
  return stripe.send(stripe.events.completed(session), { times: 3 })
}

const promiseFor = (code: string, date: string) => visitor().post(`/d/${code}/promise`, { date })
const disputeAbout = (code: string, invoice: string) =>
  visitor().post(`/d/${code}/dispute`, { invoice, kind: 'not_owed', words: '' })

const evening = Date.parse('2026-11-16T22:30:00+01:00')
const night = async (work: () => Promise<unknown>) => {
  await installation.setNow(evening)
  await work()
}

describe('an answer to the debtor', () => {
  it('is the receipt of a card payment: one, with the sum and the day, and it asks for nothing', async () => {
    const { code, email, number } = await contactedInvoice()
    await payByCard(code)
    const mail = await answerTo(email)
    expect(mail.subject).toBe(`Atelier Martin SAS\u00a0: votre paiement est bien reçu, facture ${number}`)
    const text = mail.text.replaceAll(/[\u00a0\u202f]/g, ' ')
    expect(text).toMatch(/Paiement en ligne reçu le 16\/11\/2026 +1 200,00 € payés/)
    expect(text).toContain('Plus rien n’est dû pour cette facture')
    expect(text).not.toContain('IBAN')
  })

  it('confirms a promise with its day, and a dispute with what follows from it', async () => {
    const [promising, disputing] = [await contactedInvoice(), await contactedInvoice()]
    await promiseFor(promising.code, '2026-11-30')
    await disputeAbout(disputing.code, disputing.id)
    expect((await answerTo(promising.email)).text).toMatch(/Paiement prévu le +30\/11\/2026/)
    expect((await answerTo(disputing.email)).text).toContain('Les rappels sont arrêtés')
  })

  it('is no contact: it holds no day, stands in no ledger and in no count, and no event says that somebody was contacted', async () => {
    const { code, email, id } = await contactedInvoice()
    await promiseFor(code, '2026-11-20')
    await answerTo(email)
    // The mail arrives a moment before its message is settled.
    const [counted] = await eventually(
      () =>
        installation.sql<{
          slots: number
          ledger: number
          contacted: number
          messages: number
        }>(
          `select (select count(*)::int from contact_slots s join communications c on c.id = s.communication_id where c.lead_invoice_id = $1 and s.point = any (array(select point from contact_slots limit 1000)) and c.step = 'promise_confirmed') as slots,
              (select count(*)::int from contact_ledger l join invoices i on i.debtor_id = l.debtor_id where i.id = $1 and l.entry like '%"kind":"contact"%') as ledger,
              (select count(*)::int from events where subject_id = $1 and type = 'debtor.contacted') as contacted,
              (select count(*)::int from communications where lead_invoice_id = $1 and state = 'sent') as messages`,
          [id],
        ),
      ([found]) => found!.messages === 2,
    )
    expect(counted).toEqual({ slots: 0, ledger: 1, contacted: 1, messages: 2 })
    const score = await installation.call<{ criteria: { code: string; points: number }[] }>(
      'GET',
      `/api/v1/debtors/${(await installation.sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1', [id]))[0]!.debtor_id}/score`,
    )
    expect(score.body.data.criteria.find(one => one.code === 'silence')?.points).toBe(0)
  })

  it('to a payment goes at once, at any hour; to a promise in the morning', async () => {
    const [paying, promising] = [await contactedInvoice(), await contactedInvoice()]
    await night(async () => {
      await payByCard(paying.code)
      await promiseFor(promising.code, '2026-11-30')
    })
    await answerTo(paying.email)
    await new Promise(resolve => setTimeout(resolve, 1_000))
    expect(mailsTo(promising.email)).toHaveLength(1)
    const [waiting] = await installation.sql<{ due: Date }>(
      `select due_at as due from extra_messages where invoice_id = $1`,
      [promising.id],
    )
    expect(waiting!.due.toISOString()).toMatch(/^2026-11-17T(?:0[7-9]|1\d)/)
    await advanceDays(2)
    await answerTo(promising.email)
  })

  it('is written three times a day at most, however often a link is used', async () => {
    const { code, id } = await contactedInvoice()
    for (let day = 20; day < 28; day++) {
      await promiseFor(code, `2026-11-${day}`)
      // As if the creditor had noted it: a debtor's own promise can be moved once only.
      await installation.sql('update promises set by_debtor = false where invoice_id = $1', [id])
    }
    const answers = await installation.sql(
      `select 1 from extra_messages where invoice_id = $1 and step = 'promise_confirmed'`,
      [id],
    )
    expect(answers).toHaveLength(3)
  })

  it('is not sent where email is closed', async () => {
    const { code, email, id } = await contactedInvoice()
    await visitor().post(`/d/${code}/stop`, {})
    await payByCard(code)
    await eventually(
      () =>
        installation.sql<{ status: string }>('select status from extra_messages where invoice_id = $1', [id]),
      ([extra]) => extra?.status === 'cancelled',
    )
    expect(mailsTo(email)).toHaveLength(1)
  })
})
