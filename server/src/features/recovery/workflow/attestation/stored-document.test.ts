import { expect, it } from 'vitest'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { eventually, useInstallation } from '../../../../../test/harness/use-installation.ts'
import { writeOffCalls } from '../../../../../test/harness/write-off-calls.ts'
import { DAY } from '../../../../domain/time.ts'

const installation = useInstallation()
const { read, newInvoice, writeOff, pay, untilContacted, download } = writeOffCalls(installation)

it('the document lists every step that was taken, each contact with its place in the ledger and the head of the chain', async () => {
  const debtor = {
    name: 'Lenoir & Cie',
    email: 'compta@lenoir.example',
    phone: '+33612345678',
    address: '4 quai du Port',
    postalCode: '13002',
    city: 'Marseille',
    siret: '73282932000074',
  }
  const id = await newInvoice({ debtor, amountCents: 987_654 }, 'sandbox')
  const history = () =>
    read<{ action: string; channel: string | null; status: string }[]>(
      `/api/v1/workflow/invoice/${id}/history`,
      'sandbox',
    )
  await eventually(history, lines => lines.length === 1)
  await installation.sql(`select set_config('relance.tenant', $1, false), advance_clock($2)`, [
    installation.company.tenants.sandbox,
    30 * DAY,
  ])
  const done = await eventually(history, lines => lines.length === 7)
  expect(new Set(done.map(line => line.channel))).toEqual(new Set(['email', 'sms', 'voice', 'lrar']))

  const answer = await writeOff(id, { basis: 'amicable_failed' }, { environment: 'sandbox' })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.data).toMatchObject({
    previousStatus: 'lrar_sent',
    writtenOffCents: 987_654,
    note: null,
  })
  const { pdf } = await download(id, 'sandbox')
  const { text, lines, pages, unmarked } = readPdf(pdf)
  const ledger = await installation.sql<{ position: number; hash: string; head: string; channel: string }>(
    `select l.position, encode(l.hash, 'hex') as hash, encode(a.chain_head, 'hex') as head, l.entry::jsonb ->> 'channel' as channel
       from contact_ledger l join agendas a using (tenant_id, debtor_id)
       join invoices i on i.tenant_id = l.tenant_id and i.debtor_id = l.debtor_id where i.id = $1 order by 1`,
    [id],
  )
  expect(ledger).toHaveLength(7)
  for (const { position, hash } of ledger) expect(lines).toContain(`\n${position} · ${hash.slice(0, 16)}\n`)
  expect(text).toContain(`Empreinte de la dernière inscription : ${ledger.at(-1)!.head}`)
  expect(ledger.at(-1)!.hash).toBe(ledger.at(-1)!.head)
  for (const said of [
    'Premier message Courriel Envoyé',
    'Rappel SMS Envoyé',
    'Appel téléphonique Téléphone Appel passé',
    'Mise en demeure Lettre recommandée Envoyé',
    'Lenoir & Cie 4 quai du Port 13002 Marseille France SIRET 732 829 320 00074',
    'Somme non recouvrée 9 876,54 €',
  ])
    expect(text).toContain(said)
  expect([pages, unmarked]).toEqual([2, []])
  expect(text).toContain('document sans valeur')
})

it('of more than a hundred messages the latest are listed, and the rest is counted', async () => {
  const id = await newInvoice()
  await untilContacted(id)
  await installation.sql(
    `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
     select $1, gen_random_uuid(), $2, 'relance_email_1', 'email', 'sent', '', gen_random_uuid(), timestamptz '2026-11-16T12:00:00Z' + i * interval '1 minute'
       from generate_series(1, 104) i`,
    [installation.company.tenants.production, id],
  )
  await writeOff(id)
  const { text } = readPdf((await download(id)).pdf)
  expect(text.match(/Première relance Courriel Envoyé/g)).toHaveLength(100)
  expect(text).toContain('5 autres démarches sont enregistrées et ne sont pas énumérées ici.')
})

it('what the debtor did, a pause or a message that was not sent is no action taken', async () => {
  const id = await newInvoice()
  await untilContacted(id)
  await installation.sql(
    `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
     select $1, gen_random_uuid(), $2, action, channel, status, '', case when is_message then gen_random_uuid() end, '2026-11-16T12:00:00Z'
       from (values ('pause', null, 'done', false), ('reply', 'email', 'done', false), ('call_outcome', 'voice', 'done', false),
              ('dispute', null, 'done', false), ('payment_receipt', 'email', 'sent', true), ('sms_reminder', 'sms', 'skipped', false))
         as x(action, channel, status, is_message)`,
    [installation.company.tenants.production, id],
  )
  await writeOff(id)
  const { text } = readPdf((await download(id)).pdf)
  expect(text).toMatch(/Démarches accomplies Date Démarche Voie Résultat Preuve \S+ \S+ Premier message/)
  expect(text).not.toMatch(
    /Reply|Call outcome|Suspension|Réponse|Contestation|Reçu|Rappel SMS|autres? démarche/,
  )
})

it('a SIRET whose check digit is wrong is not printed', async () => {
  const debtor = { name: 'Faux SARL', email: 'compta@faux.example', siret: '73282932000075' }
  const id = await newInvoice({ debtor })
  await writeOff(id)
  const { text } = readPdf((await download(id)).pdf)
  expect(text).toContain('Faux SARL')
  expect(text).not.toContain('SIRET')
})

it('money that arrives later is recorded and changes neither the status nor the document', async () => {
  const id = await newInvoice()
  await writeOff(id)
  const { pdf } = await download(id)
  await pay(id, 120_000)
  expect(await read(`/api/v1/invoices/${id}`)).toMatchObject({ status: 'written_off', paidCents: 120_000 })
  expect((await download(id)).pdf.equals(pdf)).toBe(true)
})
