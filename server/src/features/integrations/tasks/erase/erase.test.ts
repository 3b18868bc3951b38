import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useManualTasks } from '../../../../../test/harness/manual-tasks.ts'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { makeOld, makePerson, placesOf, type Story } from '../../../../../test/harness/person-story.ts'
import { holdTasks } from '../../../../../test/harness/send-job.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../../test/harness/use-installation.ts'
import { zipEntries } from '../../../../../test/harness/zip-entries.ts'
import { eraseExpired } from './erase-expired.ts'

const installation = useInstallation({ own: 'stops or changes parts' })
const tasks = useManualTasks(installation)
beforeAll(() => holdTasks(installation))

interface TaskReply {
  id: string
  status: string
  failure: string | null
  report: {
    kept?: { what: string; count: number; lastEnd: string | null }[]
    otherRecords?: string[]
  } | null
}

let story: Story
beforeEach(() => {
  story = {
    tenantId: installation.company.tenants.production,
    sql: installation.sql,
    async call(method, path, body, headers = {}) {
      const answer = await installation.call(method, path, { ...(body !== undefined && { body }), headers })
      expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300)
      return answer.body.data as never
    },
    async importFile(text) {
      const headers = { 'content-type': 'text/csv' }
      const answer = await installation.call('POST', '/api/v1/tasks/import', { raw: text, headers })
      expect(answer.status, answer.text).toBe(201)
      await runAll()
      return String(answer.body.data.id)
    },
    untilMailed: address =>
      eventually(
        async () =>
          (
            await installation.sql<{ state: string }>(
              `select c.state from communications c join debtors d on d.id = c.debtor_id where d.email = $1`,
              [address],
            )
          )[0]?.state,
        state => state === 'sent',
      ),
  }
})

const runAll = () => tasks.runAll(story.tenantId)
const statistics = async () =>
  Promise.all(
    [
      '/api/v1/invoices/stats/summary',
      '/api/v1/payments/stats/summary',
      '/api/v1/workflow/stats',
      '/api/v1/debtors?limit=1',
    ].map(async path => {
      const answer = await installation.call('GET', path)
      return [answer.body.data, answer.body.pagination?.total]
    }),
  )
const erase = (debtorId: string, more = {}) =>
  story.call<TaskReply>('POST', '/api/v1/tasks/erase', { debtorId, ...more })
const read = (id: string) => story.call<TaskReply>('GET', `/api/v1/tasks/${id}`)

it('takes a person out of every table; chain and totals stay, and the address stays closed', async () => {
  const person = await makePerson(story, 'quorzyx', '+33698765421')
  await runAll()
  await makeOld(installation.sql, person.invoiceIds)
  expect((await placesOf(installation.sql, person.marks)).length).toBeGreaterThan(15)
  const before = (await statistics()).slice(0, 3)
  const made = await erase(person.debtorId, { reason: 'Asked by quorzyx' })
  expect(made).toMatchObject({ kind: 'erase', status: 'waiting', report: { otherRecords: [] } })
  await runAll()
  expect(await read(made.id)).toMatchObject({
    status: 'finished',
    succeeded: 1,
    report: { kept: [{ what: 'opt_outs', count: 1 }] },
  })
  expect(await placesOf(installation.sql, person.marks)).toEqual([])
  expect((await statistics()).slice(0, 3)).toEqual(before)
  // Reading and listing show the record that its invoices keep; changing and pausing say that the person is gone.
  const path = `/api/v1/debtors/${person.debtorId}`
  expect(await story.call('GET', path)).toMatchObject({ contactable: false })
  const listed = await story.call<{ id: string; contactable: boolean }[]>('GET', '/api/v1/debtors?limit=100')
  expect(listed.find(({ id }) => id === person.debtorId)).toMatchObject({ contactable: false })
  for (const [method, to, body] of [
    ['PUT', path, { notes: 'x' }],
    ['POST', `${path}/pause`, {}],
    ['POST', `${path}/resume`, {}],
  ] as const) {
    const refused = await installation.call(method, to, { body })
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'RES_003'])
    expect(refused.body.error.message).toContain('erased')
  }
  const contacts = await story.call<{ chain: { valid: boolean; length: number } }>(
    'GET',
    `/api/v1/debtors/${person.debtorId}/contacts`,
  )
  expect(contacts).toMatchObject({ chain: { valid: true } })
  // The same address again: another record, and nothing leaves by email.
  const again = await story.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    invoiceInput({ debtor: { name: 'Ada quorzyx Lovell', email: person.email } }),
  )
  expect(again.debtor.id).not.toBe(person.debtorId)
  await eventually(
    () =>
      installation.sql<{ wake_at: string | null }>('select wake_at from agendas where debtor_id = $1', [
        again.debtor.id,
      ]),
    ([agenda]) =>
      agenda === undefined || agenda.wake_at === null || Date.parse(agenda.wake_at) > Date.now() + 60_000,
  )
  expect(
    installation.server.mailbox
      .messages()
      .filter(mail => mail.to === person.email && mail.text.includes(again.id)),
  ).toEqual([])
  expect(
    await installation.sql('select channel from communications where debtor_id = $1', [again.debtor.id]),
  ).toEqual([])
})

it('keeps what accounting law wants kept, blocked, and says until when', async () => {
  const person = await makePerson(story, 'vrombix', '+33698765433')
  await runAll()
  const rehearsed = await erase(person.debtorId, { dryRun: true })
  await runAll()
  const kept = [
    { what: 'invoices', count: 2, firstEnd: '2036-12-31', lastEnd: '2036-12-31' },
    { what: 'opt_outs', count: 1 },
  ]
  expect(await read(rehearsed.id)).toMatchObject({ status: 'review', report: { kept } })
  // A model may read texts of debtors, so its tools neither make an erasure nor start one.
  const byTool = await installation.call('POST', '/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'tasks_start', arguments: { id: rehearsed.id } },
    },
  })
  expect(byTool.text).toContain('AUTH_004')
  expect(await read(rehearsed.id)).toMatchObject({ status: 'review' })
  await story.call('POST', `/api/v1/tasks/${rehearsed.id}/start`)
  await runAll()
  expect(await read(rehearsed.id)).toMatchObject({ status: 'finished', report: { kept } })
  const places = await placesOf(installation.sql, person.marks)
  expect(places.map(place => place.split(':')[0])).toEqual(['blocked_records', 'blocked_records'])
  const [record] = await installation.sql<{ content: object; document: Buffer | null }>(
    `select content, document from blocked_records where content->'invoice'->>'status' = 'written_off' and content::text like '%vrombix%'`,
  )
  expect(record!.content).toMatchObject({
    customer: { name: 'Ada vrombix Lovell', address: '78 allée vrombix' },
    invoice: { number: 'VROMBIX-2026-1', amountCents: 120_000, issueDate: '2026-09-15' },
    credits: [{ number: 'AV-vrombix' }],
  })
  expect(record!.document?.subarray(0, 5).toString()).toBe('%PDF-')
  expect(
    await installation.sql(
      `select role from unnest(array['relance_api', 'relance_worker', 'relance_operator']) role
        where has_any_column_privilege(role, 'blocked_records', 'select')`,
    ),
  ).toEqual([])
})

it('is refused while an invoice is not closed, and says what to do', async () => {
  const made = await story.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', invoiceInput())
  const answer = await installation.call('POST', '/api/v1/tasks/erase', {
    body: { debtorId: made.debtor.id },
  })
  expect(answer.status).toBe(409)
  expect(answer.body.error.message).toMatch(/not closed.*then erase/)
})

it('gathers everything about a person in one file, with pages to read in their language', async () => {
  const person = await makePerson(story, 'gromblu', '+33698765455')
  const requests = `/api/v1/debtors/${person.debtorId}/data-requests`
  const request = { kind: 'objection', receivedOn: '2026-11-02' }
  const { id } = await story.call<{ id: string }>('POST', requests, request)
  await story.call('POST', `${requests}/${id}/decide`, { decision: 'refused' })
  await runAll()
  const made = await story.call<TaskReply>('POST', '/api/v1/tasks/access', { debtorId: person.debtorId })
  await runAll()
  expect(await read(made.id)).toMatchObject({ status: 'finished' })
  const parts = await installation.sql<{ bytes: Buffer }>(
    'select p.bytes from task_file_parts p join tasks t on t.file_id = p.file_id where t.id = $1 order by p.part',
    [made.id],
  )
  const files = await zipEntries(Buffer.concat(parts.map(({ bytes }) => bytes)))
  const { text, unmarked } = readPdf(files.get('vos-donnees.pdf')!)
  expect(unmarked).toEqual([])
  for (const said of [
    'Vos données Copie faite le',
    'Qui vous êtes Nom Ada gromblu Lovell Adresse e-mail gromblu@gromblu-maison.example',
    'Adresse postale 78 allée gromblu, 69007 Ville-gromblu, FR',
    'Notes du créancier Knows gromblu well',
    'Les personnes notées pour vous joindre Clerk gromblu (comptabilité), clerk@gromblu-maison.example, +33698765455',
    'Vos factures Facture Échéance Montant Payé Avoirs État',
    'GROMBLU-2026-1 15 octobre 2026 1 200,00 € 0,00 € 50,00 € irrécouvrable',
    'GROMBLU-2026-2 15 octobre 2026 1 200,00 € 1 200,00 € 0,00 € payée',
    'Ce que vous avez annoncé Rien n’est enregistré.',
    'Ce que vous avez contesté Facture GROMBLU-2026-1, contestée le 16 novembre 2026 (rejetée). Motif noté : Says gromblu broke it',
    'Notes d’appels 16 novembre 2026 · gromblu said she would pay',
    'Ce qui s’est passé Date Facture',
    'Le client ne veut plus recevoir d’e-mails',
    'Le score de risque Votre score est de',
    'Là où l’on ne vous écrit plus E-mail (vous l’avez demandé)',
    'Vos demandes sur vos données Opposition (art. 21) : reçue le 2 novembre 2026, refusée.',
    'Pourquoi, par qui, combien de temps',
    'le logiciel garde le dossier 60 mois, puis il l’efface',
    'Vos droits Vous pouvez demander de corriger',
    'la CNIL',
    'Les fichiers joints',
  ])
    expect(text).toContain(said)
  // Every file is named on the pages.
  for (const name of files.keys())
    if (name.endsWith('.json')) expect(text, name).toContain(name.replace('.json', ''))
  expect(JSON.parse(files.get('invoices.json')!.toString())).toHaveLength(2)
  expect(JSON.parse(files.get('conversations.json')!.toString())).toHaveLength(2)
  expect(JSON.parse(files.get('calls.json')!.toString())).toMatchObject([
    { note: 'gromblu said she would pay' },
  ])
  expect([...files.keys()].filter(name => name.startsWith('documents/'))).toHaveLength(1)
  expect(files.get('debtors.json')!.toString()).not.toContain('search_grams')
  // The texts are there, and none of the links in them opens the person's page.
  const codes = await installation.sql<{ code: string }>(
    'select code from message_codes where debtor_id = $1',
    [person.debtorId],
  )
  expect(files.get('sent_messages.json')!.toString()).toContain('/d/')
  expect(codes.length).toBeGreaterThan(0)
  for (const [name, content] of files)
    for (const { code } of codes) expect(content.includes(code), name).toBe(false)
})

it('erases debtors after the time that their company keeps them, and blocked records after theirs', async () => {
  const [young, old, open] = await Promise.all(
    ['vieilli', 'ancienne', 'ouverte'].map(async name => {
      const made = await story.call<{ id: string; debtor: { id: string } }>(
        'POST',
        '/api/v1/invoices',
        invoiceInput({ debtor: { name: `Maison ${name}`, email: `${name}@maison.example` } }),
      )
      if (name !== 'ouverte')
        await story.call('POST', `/api/v1/invoices/${made.id}/cancel`, { reason: 'Closed' })
      return { invoiceId: made.id, debtorId: made.debtor.id }
    }),
  )
  await story.call('PUT', '/api/v1/company', { keepMonths: 3 })
  // A message that is settled later would change the invoice again.
  const isQuiet = () =>
    installation.sql(
      `select from agendas a where debtor_id = any ($1)
          and (wake_at is not null or exists (select from pending_sends p where p.debtor_id = a.debtor_id))`,
      [[young!.debtorId, old!.debtorId]],
    )
  await eventually(isQuiet, moving => moving.length === 0)
  // Time passes: a year later, of which the young one's case was closed a month ago.
  const wall = Date.now()
  const offset = (
    await installation.sql<{ ms: string }>('select clock_offset_ms as ms from installation')
  )[0]!
  const now = wall + Number(offset.ms) + 365 * 86_400_000
  await installation.sql(`update invoices set updated_at = $2 where id = $1`, [
    young!.invoiceId,
    new Date(now - 30 * 86_400_000).toISOString(),
  ])
  const context = tasks.context()
  const namesNow = async () => {
    const rows = await installation.sql<{ id: string; name: string }>(
      'select id, name from debtors where id = any ($1)',
      [[young!.debtorId, old!.debtorId, open!.debtorId]],
    )
    return [young, old, open].map(one => rows.find(row => row.id === one!.debtorId)?.name)
  }
  const later = { ...context, clock: { wall: () => wall + 365 * 86_400_000 } }
  expect((await eraseExpired(later, story.tenantId)).erased).toBeGreaterThan(0)
  expect(await namesNow()).toEqual(['Maison vieilli', 'Erased', 'Maison ouverte'])
  const isBlocked = () =>
    installation.sql('select ends_on from blocked_records where debtor_id = $1', [old!.debtorId])
  expect(await isBlocked()).toHaveLength(1)
  await eraseExpired({ ...context, clock: { wall: () => wall + 11 * 366 * 86_400_000 } }, story.tenantId)
  expect(await isBlocked()).toHaveLength(0)
})

it('keeps consumers for a time of their own: two years, unless their company sets another', async () => {
  const made = await Promise.all(
    (['consumer', 'public_body', 'business'] as const).map(type =>
      story.call<{ id: string; debtor: { id: string } }>(
        'POST',
        '/api/v1/invoices',
        invoiceInput({ debtor: { name: `Foyer ${type}`, email: `${type}@foyer.example`, type } }),
      ),
    ),
  )
  for (const { id } of made) await story.call('POST', `/api/v1/invoices/${id}/cancel`, { reason: 'Closed' })
  await story.call('PUT', '/api/v1/company', { keepMonths: 60, keepMonthsConsumers: null })
  const ids = made.map(({ debtor }) => debtor.id)
  const isQuiet = () =>
    installation.sql(
      `select from agendas a where debtor_id = any ($1)
          and (wake_at is not null or exists (select from pending_sends p where p.debtor_id = a.debtor_id))`,
      [ids],
    )
  await eventually(isQuiet, moving => moving.length === 0)
  const namesAfter = async (months: number) => {
    const wall = () => Date.now() + months * 31 * 86_400_000
    await eraseExpired({ ...tasks.context(), clock: { wall } }, story.tenantId)
    const rows = await installation.sql<{ id: string; name: string }>(
      'select id, name from debtors where id = any ($1)',
      [ids],
    )
    return ids.map(id => rows.find(row => row.id === id)?.name)
  }
  expect(await namesAfter(22)).toEqual(['Foyer consumer', 'Foyer public_body', 'Foyer business'])
  expect(await namesAfter(25)).toEqual(['Erased', 'Foyer public_body', 'Foyer business'])
  expect(await namesAfter(49)).toEqual(['Erased', 'Erased', 'Foyer business'])
  expect(await namesAfter(62)).toEqual(['Erased', 'Erased', 'Erased'])
})

it('goes on where it stopped, and what is run twice is done once', async () => {
  const person = await makePerson(story, 'twixonne', '+33698765477')
  await runAll()
  const made = await erase(person.debtorId)
  const first = (await tasks.take(story.tenantId))!
  await Promise.all([tasks.run(first), tasks.run(first)])
  await runAll()
  expect(await read(made.id)).toMatchObject({ status: 'finished', succeeded: 1 })
  const again = await erase(person.debtorId)
  await runAll()
  expect(await read(again.id)).toMatchObject({
    status: 'finished',
    report: { kept: [{ count: 2 }, { count: 1 }] },
  })
  expect(new Set((await placesOf(installation.sql, person.marks)).map(place => place.split(':')[0]))).toEqual(
    new Set(['blocked_records']),
  )
})
