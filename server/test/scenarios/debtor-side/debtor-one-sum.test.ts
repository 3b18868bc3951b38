import { describe, expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { iban, useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, stripe, contactedInvoice, visitor, mailsTo, advanceDays } = await useDebtors({
  own: 'moves the clock',
})

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const seen = async (code: string) => plain(visibleText((await visitor().get(`/d/${code}`)).html))
const claim = (id: string, cents: number) =>
  installation.sql('update invoices set claimed_cents = $2 where id = $1', [id, cents])
const mailTo = async (email: string, subject: RegExp) => {
  const mails = await eventually(
    () => mailsTo(email).filter(mail => subject.test(mail.subject)),
    found => found.length > 0,
  )
  return plain(mails[0]!.text)
}
async function payByCard(code: string) {
  const who = visitor()
  await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
  await stripe.send(stripe.events.completed(stripe.sessions().at(-1)!))
}

describe('where more than the invoice was claimed', () => {
  it('who pays what the page asks for owes nothing: the receipt says so, and the page adds up', async () => {
    const { code, id, email } = await contactedInvoice()
    await claim(id, 6_397)
    expect(await seen(code)).toContain('1 263,97 € à payer')
    await payByCard(code)
    const receipt = await mailTo(email, /bien reçu/)
    expect(receipt).toMatch(/1 263,97 € payés/)
    expect(receipt).toContain('Plus rien n’est dû')
    expect(receipt).not.toContain(' 0,00 €')
    const page = await seen(code)
    expect(page).toMatch(/Montant 1 200,00 €.*Intérêts et indemnité 63,97 €.*Déjà payé −1 263,97 €/s)
    expect(page).not.toContain('de ce recouvrement amiable')
  })

  it('a message beside the cascade asks for the sum its link asks for', async () => {
    const sandbox = await newSandbox(installation)
    await sandbox.done('PUT', '/api/v1/company', { iban })
    const { id } = await sandbox.invoice({
      issueDate: '2026-03-31',
      dueDate: '2026-04-30',
      debtor: lyonDebtor('Somme SARL'),
    })
    await sandbox.advanceToDay('2026-12-05')
    await sandbox.done('POST', `/api/v1/workflow/invoice/${id}/communications`, { channel: 'email' })
    await sandbox.advanceToDay('2026-12-08')
    const [extra] = (await sandbox.messages()).filter(({ subject }) => subject?.includes('rappel'))
    const [, sum] = /Montant +([\d ]+,\d\d €)/.exec(plain(extra!.body))!
    expect(sum).toBe('1 264,37 €')
    const [, code] = /\/d\/(\S+)/.exec(extra!.body)!
    expect(await seen(code!)).toContain(`${sum} à payer`)
  })

  it('a call asks for the same sum', async () => {
    const sandbox = await newSandbox(installation)
    await sandbox.invoice({
      issueDate: '2026-03-31',
      dueDate: '2026-04-30',
      debtor: lyonDebtor('Appel SARL'),
    })
    await sandbox.advanceToDay('2026-12-06')
    const [call] = (await sandbox.messages()).filter(({ channel }) => channel === 'voice')
    expect(plain(call!.body)).toContain('il reste 1 264,37 €, intérêts et indemnité compris, à payer')
  })

  it('a promise for several is confirmed with all of them and the sum of the page', async () => {
    const debtor = { name: 'Deux SARL', email: 'compta@deux.example', postalCode: '69002', city: 'Lyon' }
    const { code, id, number, email } = await contactedInvoice({ debtor })
    const other = await installation.call<{ id: string; invoiceNumber: string }>('POST', '/api/v1/invoices', {
      body: {
        invoiceNumber: 'DEUX-2',
        amountCents: 50_000,
        issueDate: '2026-09-15',
        dueDate: '2026-10-15',
        debtor,
      },
    })
    await installation.sql(
      `insert into communication_invoices (tenant_id, communication_id, invoice_id)
       select tenant_id, communication_id, $2 from message_codes where code = $1 on conflict do nothing`,
      [code, other.body.data.id],
    )
    await claim(id, 4_000)
    expect(await seen(code)).toContain('1 740,00 € à payer')
    await visitor().post(`/d/${code}/promise`, { date: '2026-11-30' })
    const confirmed = await mailTo(email, /paiement prévu/)
    expect(confirmed).toMatch(/Montant +1 740,00 €/)
    for (const named of [number, 'DEUX-2']) expect(confirmed).toMatch(new RegExp(`Factures +.*${named}`))
  })
})

describe('what comes next', () => {
  it('is the day of the message after a step that is left out, and no reminder where the only way to the debtor is closed', async () => {
    const { code, id } = await contactedInvoice()
    expect(await seen(code)).toMatch(/le prochain message ou appel est prévu le \d+ novembre 2026/)
    // The next is a call, and there is no number to call.
    await installation.sql(
      `update recoveries set step = 4 where invoice_id = $1 and cascade = 'fr_b2b_standard'`,
      [id],
    )
    expect(await seen(code)).toMatch(/le prochain message ou appel est prévu le \d+ (novembre|décembre) 2026/)
    await visitor().post(`/d/${code}/stop`, {})
    expect(await seen(code)).toContain('Aucun rappel n’est prévu')
  })

  it('is no confirmation of a promise for who has paid before it could leave', async () => {
    const { code, id, email } = await contactedInvoice()
    await installation.setNow(Date.parse('2026-11-16T22:30:00+01:00'))
    await visitor().post(`/d/${code}/promise`, { date: '2026-11-30' })
    await payByCard(code)
    await mailTo(email, /bien reçu/)
    // The mail arrives a moment before its outcome, and the next wake-up, are written.
    await eventually(
      () => installation.sql('select from pending_sends'),
      pending => pending.length === 0,
    )
    // If it was looked at before the payment, it waits for some moment of the next day.
    await installation.setNow(Date.parse('2026-11-17T19:45:00+01:00'))
    await installation.sql(
      `update agendas a set wake_at = clock_timestamp(), wake_generation = a.wake_generation + 1
         from invoices i where i.id = $1 and a.debtor_id = i.debtor_id and a.wake_at is not null`,
      [id],
    )
    const [extra] = await eventually(
      () =>
        installation.sql<{ status: string }>(
          `select status from extra_messages where invoice_id = $1 and step = 'promise_confirmed'`,
          [id],
        ),
      ([found]) => found?.status === 'cancelled',
    )
    expect(extra!.status).toBe('cancelled')
    expect(mailsTo(email).some(({ subject }) => /paiement prévu/.test(subject))).toBe(false)
    await advanceDays(2)
  })

  it('after a card that failed is a transfer only where there is an account', async () => {
    const { code } = await contactedInvoice()
    const failing = async () => {
      stripe.fail('500')
      const who = visitor()
      return visibleText((await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)).html)
    }
    expect(await failing()).toContain('ou payer par virement')
    await installation.server.setPayout(installation.company.companyId, { iban: '' })
    const without = await failing()
    expect(without).toContain('Vous pouvez réessayer dans quelques minutes.')
    expect(without).not.toContain('virement')
    await installation.server.setPayout(installation.company.companyId, { iban })
  })
})
