import { expect, it } from 'vitest'
import { ovhcloudEnv } from '../../harness/provider-stand-ins.ts'
import { useDebtors } from '../../harness/use-debtors.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, visitor } = await useDebtors({
  env: {
    ...ovhcloudEnv('http://127.0.0.1:9'),
    MODEL_PROVIDER: 'anthropic',
    MODEL_NAME: 'none',
    MODEL_API_KEY: 'none',
    OPERATOR_NAME: 'Exploitation Exemple SAS',
    OPERATOR_ADDRESS: '5 rue du Port, 44000 Nantes',
    HOST_NAME: 'Hébergement Exemple SA',
    HOST_ADDRESS: '2 quai Sud, 59000 Lille',
  },
})

it('names the providers that this installation was started with, and no other', async () => {
  const { code } = await contactedInvoice()
  const words = visibleText((await visitor().get(`/d/${code}/data`)).html)
  for (const part of [
    'E-mails un serveur choisi par l’exploitant de Relance',
    'SMS OVHcloud (France)',
    'Paiement en ligne Stripe (États-Unis)',
    'Modèle de langage (IA) Anthropic (États-Unis)',
    'Hors de l’Union européenne Stripe et Anthropic.',
    'Adresse : 4 rue du Port, 44000 Nantes.',
    'Le logiciel le garde encore 5 ans, puis il l’efface.',
    'Ce logiciel est exploité par Exploitation Exemple SAS, 5 rue du Port, 44000 Nantes.',
    'Hébergement Hébergement Exemple SA, 2 quai Sud, 59000 Lille',
    'Ce lien cesse de fonctionner 180 jours',
    'Elle ne pose aucun cookie.',
  ])
    expect(words.replaceAll('\u00a0', ' ')).toContain(part)
  expect(words).not.toMatch(/Twilio|Maileva|Brevo|Si nous vous appelons|undefined|null/)
})

it('no role of a running process deletes a case: what is erased is erased by functions that keep sums and proof', async () => {
  const tables = ['debtors', 'payments', 'communications', 'promises', 'disputes', 'calls', 'contact_ledger']
  const may = await installation.sql<{ role: string; name: string }>(
    `select role, name from unnest($1::text[]) as role cross join unnest($2::text[]) as name
      where has_table_privilege(role, name, 'delete')`,
    [['relance_api', 'relance_worker', 'relance_operator'], tables],
  )
  expect(may).toEqual([])
  // Whoever is the creditor may delete an invoice whose recovery never began.
  const [worker] = await installation.sql(
    `select has_table_privilege('relance_worker', 'invoices', 'delete') as may`,
  )
  expect(worker).toEqual({ may: false })
})

it('says that the text of a reply is kept and until when, and that the words of a call are not', async () => {
  const { code } = await contactedInvoice()
  const words = async () =>
    visibleText((await visitor().get(`/d/${code}/data`)).html).replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(await words()).toContain('votre texte et les noms des pièces jointes sont gardés chiffrés')
  expect(await words()).toContain(
    'Le texte d’une réponse est effacé 30 jours après sa lecture, et 400 jours après',
  )
  const company = (keepReplyDays: number | null) =>
    installation.call('PUT', '/api/v1/company', { body: { keepReplyDays } })
  for (const [days, said] of [
    [0, 'effacé dans la nuit qui suit sa lecture'],
    [1, 'effacé 1 jour après sa lecture'],
    [90, 'effacé 90 jours après sa lecture'],
  ] as const) {
    expect((await company(days)).status).toBe(200)
    expect(await words()).toContain(said)
  }
  await company(null)
  const columns = await installation.sql<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = any ($1)
      order by column_name`,
    [['replies', 'calls']],
  )
  expect([...new Set(columns.map(({ column_name }) => column_name))]).toEqual([
    'answer_communication_id',
    'answer_id',
    // What the creditor answers, sealed until it has left.
    'answer_sealed',
    'began_at',
    'channel',
    'communication_id',
    // What was written, sealed.
    'content_sealed',
    'debtor_id',
    // One of a few words each: what was said, and what was decided about it.
    'decision',
    'ended_at',
    'id',
    'note',
    'outcome',
    'read_at',
    'received_at',
    'said',
    'tenant_id',
    'text_state',
  ])
})
