import { beforeAll, describe, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, visitor, mailsTo, workflowOf, eventsOf, remindersTo, advanceDays } =
  await useDebtors({ own: 'moves the clock' })

const mediator = { name: 'Médiation Exemple', address: '1 rue du Lac, 75001 Paris' }
beforeAll(async () => {
  const saved = await installation.call('PUT', '/api/v1/company', {
    body: { legalForm: 'SAS au capital de 1 000 €', rcs: 'Nantes' },
  })
  expect(saved.status, saved.text).toBe(200)
  // In production only an owner sets it, and it waits: here it is there from the beginning.
  await installation.sql(
    `update company_settings set mediator_name = $2, mediator_address = $3, mediator_website = 'www.mediation.example' where tenant_id = $1`,
    [installation.company.tenants.production, mediator.name, mediator.address],
  )
})

const debtorOf = async (id: string) =>
  (await installation.sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1', [id]))[0]!
    .debtor_id
const makeConsumer = async (id: string) =>
  installation.sql(`update debtors set type = 'consumer' where id = $1`, [await debtorOf(id)])

const answerQuestion = (who: ReturnType<typeof visitor>, code: string) =>
  who.post(`/d/${code}/open`, { answer: '69002', page: '' })

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const mailNumber = (email: string, count: number) =>
  eventually(
    () => mailsTo(email),
    mails => mails.length === count,
  ).then(mails => plain(mails.at(-1)!.text))

describe('a consumer', () => {
  it('reads on the page who helps and who mediates; a business does not', async () => {
    const { code, id } = await contactedInvoice()
    const who = visitor()
    const shown = async () => plain(visibleText((await who.get(`/d/${code}`)).html))
    const business = await shown()
    expect(business).not.toMatch(/34 14|Médiation Exemple/)
    expect(business).toContain('RCS Nantes')
    await makeConsumer(id)
    await answerQuestion(who, code)
    const consumer = await shown()
    for (const part of ['Vous avez du mal à payer ?', 'au 34 14', 'Point Conseil Budget', '1343-5'])
      expect(consumer).toContain(part)
    expect(consumer).toMatch(/Médiateur de la consommation\s+Médiation Exemple\s+1 rue du Lac/)
  })

  it('who disputes is told of the mediator, and again when the dispute is rejected', async () => {
    const { code, id, email } = await contactedInvoice()
    await makeConsumer(id)
    const who = visitor()
    await answerQuestion(who, code)
    await who.post(`/d/${code}/dispute`, { invoice: id, kind: 'not_owed', words: '' })
    expect(await mailNumber(email, 2)).toMatch(/saisir gratuitement le médiateur.*Médiation Exemple/s)
    const body = { outcome: 'rejected' }
    await installation.call('POST', `/api/v1/invoices/${id}/dispute/resolve`, { body })
    expect(await mailNumber(email, 3)).toMatch(/Nous maintenons la facture.*Médiation Exemple/s)
  })

  it('who is told that they were right is told of no mediator', async () => {
    const { code, id, email } = await contactedInvoice()
    await makeConsumer(id)
    const who = visitor()
    await answerQuestion(who, code)
    await who.post(`/d/${code}/dispute`, { invoice: id, kind: 'not_owed', words: '' })
    await mailNumber(email, 2)
    const body = { outcome: 'upheld' }
    await installation.call('POST', `/api/v1/invoices/${id}/dispute/resolve`, { body })
    expect(await mailNumber(email, 3)).not.toContain('Médiation Exemple')
  })
})

describe('a debtor who tells their situation', () => {
  it.each([
    ['insolvency', 'surendettement', 'over-indebtedness or insolvency proceedings'],
    ['deceased', 'décédée', 'the person has died'],
    ['identity_theft', 'mon identité', 'somebody used their identity'],
  ])('%s: every reminder waits, and the creditor is mailed', async (kind, words, said) => {
    const { code, id, email } = await contactedInvoice()
    const who = visitor()
    const answer = await who.submit(await who.get(`/d/${code}/situation`), `/d/${code}/situation`, { kind })
    expect([answer.status, answer.location]).toEqual([303, `/d/${code}/situation`])
    expect(visibleText((await who.get(answer.location!)).html)).toContain('Les rappels sont arrêtés')
    expect(await workflowOf(id)).toBe('paused')
    expect((await eventsOf(id)).map(({ type }) => type)).toContain('situation.reported')
    const history = await installation.call<{ action: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${id}/history`,
    )
    expect(history.body.data.at(-1)).toMatchObject({
      action: 'situation',
      details: expect.stringContaining(said),
    })
    const copies = () =>
      installation.server.mailbox
        .messages()
        .filter(mail => mail.text.includes(email) && mail.text.includes(words))
    await eventually(copies, found => found.length === 1)
    const before = remindersTo(email)
    await advanceDays(8)
    expect(remindersTo(email)).toBe(before)
  })

  it('is told beside the field that nothing was chosen', async () => {
    const { code, id } = await contactedInvoice()
    const answer = await visitor().post(`/d/${code}/situation`, { kind: 'constructor' })
    expect(answer.status).toBe(400)
    expect(visibleText(answer.html)).toContain('Choisissez ce qui se passe.')
    expect(await workflowOf(id)).toBe('in_recovery')
  })
})
