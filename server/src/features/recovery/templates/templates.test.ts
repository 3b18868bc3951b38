import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { knownTemplates } from './schema.ts'

const installation = useInstallation()
const path = '/api/v1/templates'

interface Template {
  id: string
  subject: string | null
  opening: string
  isOwn: boolean
  refused: { field: string; code: string; message: string }[]
  version: number
  placeholders: string[]
  fixed: string[]
  updatedAt: string | null
}
const key = () => installation.company.productionKey
const list = async (who = key()) => (await installation.call<Template[]>('GET', path, { key: who })).body
const put = (id: string, body: unknown, who = key()) =>
  installation.call<Template>('PUT', `${path}/${id}`, { body, key: who })
const preview = (body: unknown, who = key()) =>
  installation.call<{ subject: string | null; text: string; html: string | null }>(
    'POST',
    `${path}/preview`,
    {
      body,
      key: who,
    },
  )
const sentCount = async () =>
  (await installation.sql<{ n: number }>('select count(*)::integer as n from communications'))[0]!.n

it('every message is listed with the words that may be replaced and what is always said', async () => {
  const { data, pagination } = await list()
  expect(pagination).toMatchObject({ total: knownTemplates.length, totalPages: 1 })
  expect(data).toHaveLength(56)
  expect(data.every(template => !template.isOwn && template.updatedAt === null)).toBe(true)
  const byId = new Map(data.map(template => [template.id, template]))
  expect(byId.get('relance_email_1.email.fr')).toEqual({
    id: 'relance_email_1.email.fr',
    step: 'relance_email_1',
    channel: 'email',
    language: 'fr',
    version: 9,
    subject: 'rappel, facture {{reference}}, {{sum}}',
    opening: 'Nous vous rappelons la facture suivante\u00a0:',
    isOwn: false,
    refused: [],
    placeholders: ['creditor', 'debtor', 'reference', 'sum', 'dueDate'],
    fixed: ['who_writes', 'amounts', 'link', 'bank_account', 'how_to_dispute', 'data_notice'],
    updatedAt: null,
  })
  expect(byId.get('lrar_mise_en_demeure.lrar.en')!.fixed).toEqual(
    expect.arrayContaining(['formal_notice', 'late_payment_statement', 'subject']),
  )
  expect(byId.get('ai_call.voice.fr')!.fixed).toContain('ai_disclosure')
  expect(byId.get('sms_reminder.sms.fr')!.subject).toBeNull()
})

it('a preview shows a message as it would arrive, and sends nothing', async () => {
  const before = await sentCount()
  for (const { id, channel } of knownTemplates) {
    const { status, body } = await preview({ id })
    expect(status, id).toBe(200)
    expect(`${body.data.subject} ${body.data.text}`, id).toContain('Menuiserie Lambert')
    expect(body.data.html !== null, id).toBe(channel === 'email')
    expect(body.data.subject === null, id).toBe(channel === 'sms')
  }
  const input = {
    invoiceNumber: 'F-PREVIEW',
    amountCents: 120_000,
    issueDate: '2026-03-31',
    dueDate: '2026-04-30',
    debtor: lyonDebtor('Durand & <b>Fils</b>'),
  }
  const imported = await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    body: { invoices: [input], autoStartWorkflow: false },
    key: key(),
  })
  const invoiceId = imported.body.data.results[0]!.id
  const { data } = (await preview({ id: 'relance_email_2.email.fr', invoiceId })).body
  expect(data.text).toContain('F-PREVIEW')
  expect(data.text).toContain('D441-5')
  expect(data.html).toContain('Durand &amp; &lt;b&gt;Fils&lt;/b&gt;')
  const tried = await preview({ id: 'relance_email_1.email.en', opening: 'Dear {{debtor}}, {{sum}}.' })
  expect(tried.body.data.text).toContain('Dear Durand & Sons Ltd, €1,200.00.')
  expect((await preview({ id: 'nothing.email.fr' })).status).toBe(404)
  expect(await sentCount()).toBe(before)
  expect((await list()).data.some(({ isOwn }) => isOwn)).toBe(false)
})

it.each([
  [
    'relance_email_1.email.fr',
    { opening: 'Un huissier passera chez {{debtor}}.' },
    'forbidden_word',
    'huissier',
  ],
  ['relance_email_1.email.fr', { opening: 'Une s\u00adaisie suivra.' }, 'forbidden_word', 'saisie'],
  ['relance_email_1.email.fr', { subject: 'le tribunal décidera' }, 'forbidden_word', 'tribunal'],
  ['relance_email_1.email.en', { opening: 'A fee of 10 will be added.' }, 'forbidden_word', 'fee'],
  [
    'relance_email_1.email.fr',
    { opening: 'Notre RIB a changé, réglez sur evil.example/pay.' },
    'payment_details',
    'evil.example',
  ],
  [
    'relance_email_1.email.en',
    { opening: 'Pay to DE89 3704 0044 0532 0130 00.' },
    'payment_details',
    'DE89 3704 0044 0532 0130 00',
  ],
  ['relance_email_1.email.en', { subject: 'see hxxps://evil[.]example' }, 'payment_details', 'evil'],
  ['relance_email_1.email.fr', { opening: 'Bonjour {{prenom}}.' }, 'unknown_placeholder', '{{prenom}}'],
  ['relance_email_1.email.fr', { opening: 'Bonjour {{debtor.' }, 'unknown_placeholder', 'braces'],
  ['lrar_mise_en_demeure.lrar.fr', { subject: 'un petit mot' }, 'fixed', 'cannot be replaced'],
  ['ai_call.voice.fr', { subject: 'Bonjour, ici Marie.' }, 'fixed', 'cannot be replaced'],
  ['sms_reminder.sms.fr', { subject: 'rappel' }, 'fixed', 'cannot be replaced'],
  ['sms_reminder.sms.fr', { opening: 'mot '.repeat(60) }, 'too_long', 'two text messages'],
])('%s refuses %j, and says why', async (id, body, code, word) => {
  for (const answer of [await put(id, body), await preview({ id, ...body })]) {
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error?.details?.[0]).toMatchObject({ code, field: Object.keys(body)[0] })
    expect(answer.body.error?.details?.[0]?.message).toContain(word)
  }
  expect((await list()).data.some(({ isOwn }) => isOwn)).toBe(false)
})

it('words of one’s own hold from the next message on, and ours come back', async () => {
  const sandbox = await newSandbox(installation)
  const change = (id: string, body: unknown) => sandbox.done<Template>('PUT', `${path}/${id}`, body)
  expect(
    await change('relance_email_1.email.fr', { subject: 'un mot de {{creditor}} sur {{reference}}' }),
  ).toMatchObject({ isOwn: true, subject: 'un mot de {{creditor}} sur {{reference}}' })
  await change('relance_email_1.email.fr', { opening: 'Bonjour {{debtor}}, {{sum}} depuis le {{dueDate}}.' })
  await change('sms_reminder.sms.fr', { opening: 'facture {{reference}} à voir ici :' })
  await sandbox.invoice({ invoiceNumber: 'F-7', debtor: lyonDebtor('Durand SARL') })
  await sandbox.advanceToDay('2026-11-22')
  const messages = await sandbox.messages()
  const first = messages.find(({ subject }) => subject?.includes('en attente'))!
  expect(first.body).toContain('nous n’avons pas reçu le paiement')
  const second = messages.find(
    ({ subject }) => subject === 'Atelier Martin\u00a0: un mot de Atelier Martin sur F-7',
  )!
  expect(second.body.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(
    'Bonjour Durand SARL, 1 200,00 € depuis le 15/10/2026.',
  )
  for (const part of ['/d/', 'Vos données', 'Envoyé avec Relance', 'contestez'])
    expect(second.body).toContain(part)
  expect((await sandbox.call('DELETE', `${path}/sms_reminder.sms.fr`)).status).toBe(204)
  await sandbox.advanceToDay('2026-11-27')
  const sms = (await sandbox.messages('&channel=sms'))[0]!
  expect(sms.body).toContain('attend son paiement')
  expect((await list(installation.company.sandboxKey)).data.some(({ isOwn }) => isOwn)).toBe(false)
  // A field sent as null is ours again, and with the last of them nothing of one's own is left.
  await change('relance_email_1.email.fr', { subject: null })
  expect(await change('relance_email_1.email.fr', { opening: null })).toMatchObject({ isOwn: false })
})

it('whoever asks for a template that is not there is told where they are listed', async () => {
  const sentence = 'There is no such template; GET /api/v1/templates lists them.'
  for (const answer of [
    await preview({ id: 'nothing.email.fr' }),
    await put('nothing.email.fr', { opening: 'Oui' }),
  ])
    expect([answer.status, answer.body.error.message]).toEqual([404, sentence])
})

it('words that were saved before a rule existed reach no debtor: ours are sent, and the list says why', async () => {
  const sandbox = await newSandbox(installation)
  const tenantId = sandbox.tenantId
  const insert = (step: string, channel: string, subject: string | null, opening: string) =>
    installation.sql(
      `insert into company_texts (tenant_id, step, channel, language, subject, opening, updated_at)
       values ($1, $2, $3, 'fr', $4, $5, '2026-01-05T09:00:00Z')`,
      [tenantId, step, channel, subject, opening],
    )
  await insert('email_prise_en_charge', 'email', 'un mot sur {{reference}}', 'Réglez sur evil.example/pay.')
  await insert('relance_email_1', 'email', null, 'Virez sur FR76 3000 6000 0112 3456 7890 189.')
  await insert('sms_reminder', 'sms', null, 'Voyez hxxps://evil[.]example :')
  const { id: invoiceId } = await sandbox.invoice({ invoiceNumber: 'F-8', debtor: lyonDebtor('Durand SARL') })
  await sandbox.advanceToDay('2026-11-25')
  const sent = JSON.stringify(await sandbox.messages())
  expect(sent).toContain('un mot sur F-8')
  expect(sent).not.toMatch(/evil|7890 189/)
  const shown = await preview({ id: 'email_prise_en_charge.email.fr', invoiceId }, sandbox.key)
  expect(JSON.stringify(shown.body.data)).not.toContain('evil')
  const { data } = await list(sandbox.key)
  const refusedIn = (id: string) => data.find(template => template.id === id)!
  expect(refusedIn('email_prise_en_charge.email.fr')).toMatchObject({
    subject: 'un mot sur {{reference}}',
    opening: expect.not.stringContaining('evil'),
    isOwn: true,
    refused: [
      { field: 'opening', code: 'payment_details', message: expect.stringContaining('evil.example') },
    ],
  })
  expect(refusedIn('relance_email_1.email.fr')).toMatchObject({
    isOwn: false,
    refused: expect.arrayContaining([expect.objectContaining({ field: 'opening', code: 'payment_details' })]),
  })
})
