/** How a story is told: calls of the API as the company, which must succeed, and statements as the administrator. */
export interface Story {
  call<Data>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Data>
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** A file to import, until it waits for its review; returns the task. */
  importFile(text: string): Promise<string>
  tenantId: string
  /** Until this address was written to. */
  untilMailed(address: string): Promise<unknown>
}

export interface MadePerson {
  debtorId: string
  invoiceIds: string[]
  email: string
  /** Everything that says who they are holds one of these. */
  marks: string[]
}

/**
 * A person of whom something stands in every place where a text can stand, each with the mark in it. Two invoices, one written off
 * with its document and one paid; nothing is owed any more.
 */
export async function makePerson(story: Story, mark: string, phone: string): Promise<MadePerson> {
  const { call, sql, tenantId } = story
  const email = `${mark}@${mark}-maison.example`
  const debtor = {
    name: `Ada ${mark} Lovell`,
    email,
    phone,
    address: `77 allée ${mark}`,
    postalCode: '69007',
    city: `Ville-${mark}`,
    type: 'business',
  }
  const invoice = (n: number) => ({
    invoiceNumber: `${mark.toUpperCase()}-2026-${n}`,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    description: `Pergola ${mark}`,
    metadata: { order: `order ${mark}` },
    debtor,
  })
  const made = await call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', invoice(1), {
    'idempotency-key': `first-${mark}-1234`,
  })
  const debtorId = made.debtor.id
  await story.untilMailed(email)
  const second = await call<{ id: string }>('POST', '/api/v1/invoices', invoice(2), {
    'idempotency-key': `second-${mark}-1234`,
  })
  const [first, paid] = [made.id, second.id]
  await call('PUT', `/api/v1/debtors/${debtorId}`, {
    notes: `Knows ${mark} well`,
    address: `78 allée ${mark}`,
  })
  await call('POST', `/api/v1/debtors/${debtorId}/people`, {
    name: `Clerk ${mark}`,
    role: 'accounting',
    email: `clerk@${mark}-maison.example`,
    phone,
  })
  await call('POST', `/api/v1/debtors/${debtorId}/notes`, { text: `Spoke with ${mark}`, invoiceId: first })
  await call('PUT', `/api/v1/invoices/${first}`, {
    notes: `Note ${mark}`,
    metadata: { clerk: `clerk ${mark}` },
  })
  await call('POST', `/api/v1/invoices/${first}/dispute`, { reason: `Says ${mark} broke it` })
  await call('POST', `/api/v1/invoices/${first}/dispute/resolve`, {
    outcome: 'rejected',
    note: `Checked with ${mark}`,
    answer: `As we told ${mark}`,
  })
  await call('POST', `/api/v1/invoices/${first}/credits`, {
    number: `AV-${mark}`,
    amountCents: 5_000,
    issuedOn: '2026-11-01',
  })
  await call('POST', `/api/v1/invoices/${first}/write-off`, {
    basis: 'untraceable',
    note: `Gone, said ${mark}`,
  })
  await call('POST', '/api/v1/payments', {
    invoiceId: paid,
    amountCents: 120_000,
    method: 'bank_transfer',
    externalReference: `VIR ${mark}`,
  })
  await call('POST', `/api/v1/debtors/${debtorId}/opt-out`, { channel: 'email', reason: `Told us: ${mark}` })
  await call('POST', '/api/v1/tasks/bulk', {
    action: 'pause',
    filter: { search: mark },
    reason: `Because of ${mark}`,
    dryRun: true,
  })
  // A file that names them was read, and not imported.
  const file = await story.importFile(
    `numero;client;email;montant;date;echeance\n${mark.toUpperCase()}-2026-3;${debtor.name};${email};12,50;15/09/2026;15/10/2026\n`,
  )
  await call('POST', `/api/v1/tasks/${file}/cancel`)
  await addTexts(sql, tenantId, debtorId, first, mark, phone)
  return { debtorId, invoiceIds: [first, paid], email, marks: [mark, phone.slice(-9)] }
}

/** What only a language model, a telephone or a provider brings. */
async function addTexts(
  sql: Story['sql'],
  tenantId: string,
  debtorId: string,
  invoiceId: string,
  mark: string,
  phone: string,
): Promise<void> {
  const [message] = await sql<{ id: string }>(
    'select id from communications where debtor_id = $1 order by id limit 1',
    [debtorId],
  )
  await sql(
    `insert into calls (tenant_id, communication_id, outcome, note, began_at, ended_at)
     values ($1, $2, 'promise', $3, '2026-11-16T09:00:00Z', '2026-11-16T09:01:00Z')`,
    [tenantId, message!.id, `${mark} said she would pay`],
  )
  await sql('update communications set reason = $2, provider_id = $3 where id = $1', [
    message!.id,
    `550 <${mark}@${mark}-maison.example> unknown`,
    `<${mark}@provider>`,
  ])
  await sql(
    `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, read_at)
     values ($1, gen_random_uuid(), $2, $3, 'email', '2026-11-16T09:00:00Z', '2026-11-16T10:00:00Z')`,
    [tenantId, debtorId, message!.id],
  )
  const local = `0${phone.slice(3)}`.replace(/(..)(?=.)/g, '$1 ')
  for (const text of [`Call ${mark.toUpperCase()} today`, `Her number is ${local}`, `What of ${invoiceId}?`])
    await sql(
      `with talk as (
         insert into conversations (tenant_id, id, opener, last_message, message_count, created_at, updated_at, used_at)
         values ($1, gen_random_uuid(), 'key', 'Bye', 1, '2026-11-16T09:00:00Z', '2026-11-16T09:00:00Z', '2026-11-16T09:00:00Z')
         returning tenant_id, id)
       insert into conversation_messages (tenant_id, conversation_id, id, role, text, tools_called, created_at)
       select tenant_id, id, gen_random_uuid(), 'user', $2, '{}', '2026-11-16T09:00:00Z' from talk`,
      [tenantId, text],
    )
}

/** As if the accounting years of these invoices had passed. */
export const makeOld = async (sql: Story['sql'], invoiceIds: readonly string[]): Promise<void> => {
  await sql(
    `update invoices set issue_date = '2010-01-15', written_off_at = written_off_at - interval '15 years' where id = any ($1)`,
    [invoiceIds],
  )
  await sql(`update payments set day = '2010-02-15' where invoice_id = any ($1)`, [invoiceIds])
  await sql(`update credits set issued_on = '2010-02-15' where invoice_id = any ($1)`, [invoiceIds])
}

/** Every place in the database where one of the marks stands, in letters or as bytes. */
export async function placesOf(sql: Story['sql'], marks: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  )
  const searched = marks.flatMap(mark => [mark, Buffer.from(mark).toString('hex')]).map(mark => `%${mark}%`)
  const places: string[] = []
  for (const { name } of tables) {
    const found = await sql<{ row: string }>(
      `select left(t::text, 300) as row from ${name} t where t::text ilike any ($1::text[]) limit 2`,
      [searched],
    )
    places.push(...found.map(({ row }) => `${name}: ${row}`))
  }
  return places
}
