import { describe, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, advanceDays, remindersTo, contactedInvoice, visitor, workflowOf, statusOf, eventsOf } =
  await useDebtors({ own: 'moves the clock' })

describe('a debtor who answers', () => {
  it('disputes: the reminders stop at once, the page says so, and the creditor can read why', async () => {
    const { code, id } = await contactedInvoice()
    const who = visitor()
    const form = await who.get(`/d/${code}/dispute`)
    const answer = await who.submit(form, `/d/${code}/dispute`, {
      kind: 'not_as_agreed',
      words: 'Deux chaises\r\ncassées',
    })
    expect([answer.status, answer.location]).toEqual([303, `/d/${code}/dispute`])
    const done = await who.get(answer.location!)
    expect(visibleText(done.html)).toContain('Les rappels sont arrêtés')
    expect(done.html).toContain('Deux chaises cassées')
    expect(await workflowOf(id)).toBe('paused')
    expect(await statusOf(id)).toBe('disputed')
    expect((await eventsOf(id)).findLast(({ type }) => type === 'invoice.status_changed')).toMatchObject({
      type: 'invoice.status_changed',
      actor: { kind: 'debtor' },
    })
    const again = await who.post(`/d/${code}/dispute`, { invoice: id, kind: 'other', words: 'encore' })
    expect(again.status).toBe(400)
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain('Contestation enregistrée')
  })

  it('names the message that was on its way when the reminders were stopped', async () => {
    const { code, id } = await contactedInvoice()
    await installation.sql(
      `update communications set state = 'sending' where id = (select communication_id from message_codes where code = $1)`,
      [code],
    )
    await visitor().post(`/d/${code}/dispute`, { invoice: id, kind: 'wrong_amount', words: '' })
    expect(visibleText((await visitor().get(`/d/${code}/dispute`)).html)).toContain(
      'peut encore vous parvenir : un e\u2011mail',
    )
  })

  it.each([
    [{ kind: '' }, 'Choisissez ce qui ne va pas.'],
    [{ kind: 'other', words: ' \r\n ' }, 'Dites-nous en quelques mots'],
    [{ kind: 'other', words: 'x'.repeat(401) }, 'C’est trop long'],
    [{ kind: 'other', words: 'a\u202eb' }, 'Un caractère ne peut pas être utilisé'],
    [{ kind: 'other', words: 'a\u0000b' }, 'Un caractère ne peut pas être utilisé'],
  ])('is told beside the field what is wrong with %j', async (filled, words) => {
    const { code, id } = await contactedInvoice()
    const answer = await visitor().post(`/d/${code}/dispute`, { invoice: id, words: '', ...filled })
    expect(answer.status).toBe(400)
    expect(visibleText(answer.html)).toContain(words)
    expect(answer.html).toMatch(/<p class="fault" id="\w+-fault">/)
    expect(await workflowOf(id)).toBe('in_recovery')
  })

  it('promises a day: the reminders wait for it, and a later day takes its place', async () => {
    const { code, id } = await contactedInvoice()
    const who = visitor()
    const answer = await who.submit(await who.get(`/d/${code}/promise`), `/d/${code}/promise`, {
      date: '2026-11-30',
    })
    expect([answer.status, answer.location]).toEqual([303, `/d/${code}/promise`])
    const words = visibleText((await who.get(`/d/${code}/promise`)).html)
    expect(words).toContain('paiement prévu le 30 novembre 2026')
    expect(words).toContain('jusqu’au 2 décembre 2026')
    expect(await workflowOf(id)).toBe('paused')
    await who.submit(await who.get(`/d/${code}/promise`), `/d/${code}/promise`, { date: '2026-12-10' })
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain('Paiement prévu le 10 décembre 2026')
    const promises = await installation.sql<{ status: string }>(
      'select status from promises where invoice_id = $1 order by created_at, id',
      [id],
    )
    expect(promises.map(({ status }) => status)).toEqual(['replaced', 'open'])
  })

  it.each([
    ['', 'Choisissez un jour.'],
    ['demain', 'sous forme de date'],
    ['2026-02-30', 'sous forme de date'],
    ['2026-11-15', 'Ce jour est passé'],
    ['2027-01-16', 'trop lointain'],
  ])('is told beside the field what is wrong with the day "%s"', async (date, words) => {
    const { code, id } = await contactedInvoice()
    const answer = await visitor().post(`/d/${code}/promise`, { date })
    expect(answer.status).toBe(400)
    expect(visibleText(answer.html)).toContain(words)
    expect(await workflowOf(id)).toBe('in_recovery')
  })

  it('may promise today and sixty days ahead', async () => {
    for (const date of ['2026-11-16', '2027-01-15']) {
      const { code } = await contactedInvoice()
      expect((await visitor().post(`/d/${code}/promise`, { date })).status).toBe(303)
    }
  })

  it('is somebody else: the address is blocked, and its links show nothing any more, also once it is corrected', async () => {
    const { code, id, email, number } = await contactedInvoice()
    const who = visitor()
    const answer = await who.submit(await who.get(`/d/${code}/not-me`), `/d/${code}/not-me`)
    expect(answer.status).toBe(303)
    for (const path of ['', '/dispute', '/promise', '/data', '/card', '/not-me', '/situation', '/stop']) {
      const shown = await who.get(`/d/${code}${path}`)
      expect(visibleText(shown.html)).toContain('pardon pour le dérangement')
      for (const data of [number, email, 'Atelier', 'Durand', '1\u202f200'])
        expect(shown.html).not.toContain(data)
    }
    await who.post(`/d/${code}/dispute`, { invoice: id, kind: 'wrong_amount', words: '' })
    expect(await statusOf(id)).toBe('in_recovery')
    expect(await workflowOf(id)).toBe('paused')
    const debtorId = (await installation.call<{ debtor: { id: string } }>('GET', `/api/v1/invoices/${id}`))
      .body.data.debtor.id
    const corrected = await installation.call('PUT', `/api/v1/debtors/${debtorId}`, {
      body: { email: `right.${email}` },
    })
    expect(corrected.status, corrected.text).toBe(200)
    expect((await who.get(`/d/${code}`)).html).not.toContain(number)
  })

  it('closes the channel of the message', async () => {
    const { code, id } = await contactedInvoice()
    const who = visitor()
    const answer = await who.submit(await who.get(`/d/${code}/stop`), `/d/${code}/stop`)
    expect([answer.status, answer.location]).toEqual([303, `/d/${code}/stop`])
    expect(visibleText((await who.get(`/d/${code}/stop`)).html)).toContain('plus d’e\u2011mails')
    const closed = await installation.sql<{ channel: string; because: string }>(
      `select distinct p.channel, p.because from closed_points p
         join debtors d on d.tenant_id = p.tenant_id and p.point = any (contact_points(d.tenant_id, d.id, d.email_key, d.phone))
         join invoices i on i.debtor_id = d.id where i.id = $1`,
      [id],
    )
    expect(closed).toEqual([{ channel: 'email', because: 'opt_out' }])
  })

  it('hears nothing more after a dispute, nothing before the promised day is over, and otherwise the next reminder', async () => {
    const [silent, disputing, promising] = [
      await contactedInvoice(),
      await contactedInvoice(),
      await contactedInvoice(),
    ]
    await visitor().post(`/d/${disputing.code}/dispute`, {
      invoice: disputing.id,
      kind: 'wrong_amount',
      words: '',
    })
    await visitor().post(`/d/${promising.code}/promise`, { date: '2026-11-30' })
    await advanceDays(7)
    await eventually(
      () => remindersTo(silent.email),
      n => n === 2,
    )
    expect([disputing, promising].map(({ email }) => remindersTo(email))).toEqual([1, 1])
    await advanceDays(11)
    await eventually(
      () => workflowOf(promising.id),
      status => status === 'in_recovery',
    )
    await advanceDays(6)
    await eventually(
      () => remindersTo(promising.email),
      n => n === 2,
    )
    expect(remindersTo(disputing.email)).toBe(1)
  })
  it('opens the link for the days that its page says, and no longer', async () => {
    const { code } = await contactedInvoice()
    const told = visibleText((await visitor().get(`/d/${code}/data`)).html)
    const days = Number(/(\d+) jours après l’envoi du message/.exec(told)![1])
    // Links live in real time: what is stored moves instead of the clock.
    const age = (interval: string) =>
      installation.sql('update message_codes set expires_at = expires_at - $2::interval where code = $1', [
        code,
        interval,
      ])
    await age(`${days - 1} days`)
    expect((await visitor().get(`/d/${code}`)).status).toBe(200)
    await age('1 day')
    expect((await visitor().get(`/d/${code}`)).status).toBe(404)
  })
})
