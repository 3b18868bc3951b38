import { expect, it } from 'vitest'
import { command } from '../../harness/operator.ts'
import { readPdf } from '../../harness/pdf-text.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({
  env: {
    COLLECTOR_NAME: 'Cabinet Rivoire',
    COLLECTOR_ADDRESS: '8 quai Perrache, 69002 Lyon',
    COLLECTOR_SIREN: '732829320',
    COLLECTOR_DECLARED_ON: '2024-01-15',
    COLLECTOR_INSURER: 'Assurances du Rhône, police 4411',
    COLLECTOR_ACCOUNT: 'FR1420041010050500013M02606',
  },
})
const run = command(installation)

async function mandate(sandbox: Sandbox): Promise<void> {
  const args = ['--company', sandbox.companyId, '--signed-on', '2026-01-12', '--reference', 'Coffre 12']
  expect((await run('company', 'mandate', ...args)).code).toBe(0)
}

async function collectedSandbox(): Promise<Sandbox> {
  const sandbox = await newSandbox(installation)
  await mandate(sandbox)
  return sandbox
}

const list = (sandbox: Sandbox, ...invoiceIds: string[]) =>
  sandbox.done<{ id: string; claims: object[] }>('POST', '/api/v1/claim-lists', {
    acceptedBy: 'Claire Lambert, gérante',
    claims: invoiceIds.map(invoiceId => ({ invoiceId })),
  })

/** The messages, the first one first. */
const sentBy = async (sandbox: Sandbox) => (await sandbox.messages()).toReversed()
const channelsOf = async (sandbox: Sandbox) => (await sentBy(sandbox)).map(({ channel }) => channel)
const referenceIn = (body: string) => /R-[0-9A-Z]{7}/.exec(body)![0]

/** Every text message and call names a letter that went before it, and its day. */
async function expectLettersFirst(sandbox: Sandbox): Promise<void> {
  const letters = new Set<string>()
  for (const { channel, body } of await sentBy(sandbox)) {
    const named = body.match(/R-[0-9A-Z]{7}/g) ?? []
    if (channel === 'email' || channel === 'lrar') {
      expect(body).toContain('activité de recouvrement amiable')
      for (const reference of named) letters.add(reference)
      continue
    }
    expect(named.length, body).toBeGreaterThan(0)
    for (const reference of named) expect([...letters], channel).toContain(reference)
    expect(body.replaceAll('\u00a0', ' ')).toMatch(
      /notre lettre R-[0-9A-Z]{7} du (\d\d\/\d\d\/\d\d|\d+ \p{L}+ \d{4})/u,
    )
  }
}

it('with an open email channel the email comes first, and every later message names it', async () => {
  const sandbox = await collectedSandbox()
  const { id } = await sandbox.invoice({
    debtor: lyonDebtor('Leroy SARL'),
    description: 'Dix chaises de bureau',
  })
  await list(sandbox, id)
  await sandbox.advanceToDay('2026-12-31')
  const messages = await sentBy(sandbox)
  expect(messages.map(({ channel }) => channel).slice(0, 3)).toEqual(['email', 'email', 'sms'])
  // Art. R124-4, 3° CPCE: what the sum is for.
  expect(messages[0]!.body).toContain('Dix chaises de bureau')
  expect(new Set(messages.map(({ body }) => referenceIn(body))).size).toBe(1)
  await expectLettersFirst(sandbox)
})

it('with a closed email channel the letter goes on paper before any text message or call', async () => {
  const sandbox = await collectedSandbox()
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await sandbox.simulate('opt-out', { debtorId: debtor.id, channel: 'email' })
  await list(sandbox, id)
  await sandbox.advanceToDay('2026-12-31')
  const channels = await channelsOf(sandbox)
  expect(channels[0]).toBe('lrar')
  expect(channels).toContain('sms')
  await expectLettersFirst(sandbox)
})

it('without an email or a postal address nothing is sent, and the steps are left out', async () => {
  const sandbox = await collectedSandbox()
  const { address: _, postalCode: __, city: ___, ...debtor } = lyonDebtor('Leroy SARL')
  const { id, debtor: made } = await sandbox.invoice({ debtor })
  await sandbox.simulate('opt-out', { debtorId: made.id, channel: 'email' })
  await list(sandbox, id)
  await sandbox.advanceToDay('2027-01-31')
  expect(await channelsOf(sandbox)).toEqual([])
  const skipped = (await sandbox.history(id)).filter(({ status }) => status === 'skipped')
  expect(skipped.find(({ action }) => action === 'sms_reminder')!.details).toContain(
    'a collector’s first contact about an invoice is an email or a letter',
  )
})

it('an email that came back was no letter: the next one goes on paper, before any text message or call', async () => {
  const sandbox = await collectedSandbox()
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await list(sandbox, id)
  await sandbox.advance('PT1H')
  const [first] = await sentBy(sandbox)
  expect(first!.channel).toBe('email')
  await sandbox.simulate('bounced', { communicationId: first!.communicationId })
  const refused = await sandbox.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
    channel: 'sms',
  })
  expect([refused.status, refused.body.error?.details]).toMatchObject([400, [{ code: 'letter_first' }]])
  await sandbox.advanceToDay('2026-12-31')
  const [, second, ...later] = await sentBy(sandbox)
  expect(second!.channel).toBe('lrar')
  const letter = referenceIn(second!.body)
  expect(letter).not.toBe(referenceIn(first!.body))
  expect(later.some(({ channel }) => channel === 'sms' || channel === 'voice')).toBe(true)
  for (const { body } of later) expect(referenceIn(body)).toBe(letter)
})

it('a text message or call that somebody asks for is refused until a letter was accepted', async () => {
  const sandbox = await collectedSandbox()
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL'), dueDate: '2026-11-24' })
  const ask = (channel: string) =>
    sandbox.call('POST', `/api/v1/workflow/invoice/${id}/communications`, { channel })
  expect((await ask('email')).body.error?.details).toMatchObject([{ code: 'claim_unlisted' }])
  await list(sandbox, id)
  for (const channel of ['sms', 'voice'])
    expect((await ask(channel)).body.error?.details, channel).toMatchObject([{ code: 'letter_first' }])
  // The moment of a first message is spread over its day.
  await sandbox.advanceToDay('2026-11-26')
  expect(await channelsOf(sandbox)).toEqual(['email'])
  expect((await ask('sms')).status).toBe(202)
  await sandbox.advanceToDay('2026-11-29')
  expect(await channelsOf(sandbox)).toEqual(['email', 'sms'])
  await expectLettersFirst(sandbox)
})

it('a mandate recorded in the middle of a case starts with a letter of the collector', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  // After the second email: the next step is a text message.
  await sandbox.advanceToDay('2026-11-23')
  const own = (await sentBy(sandbox)).length
  expect(own).toBe(2)
  await mandate(sandbox)
  await list(sandbox, id)
  await sandbox.advanceToDay('2027-01-15')
  const [first, ...later] = (await sentBy(sandbox)).slice(own)
  expect(first!.channel).toBe('email')
  expect(first!.body).toContain('activité de recouvrement amiable')
  expect(later.length).toBeGreaterThan(0)
  for (const { body } of later) expect(referenceIn(body)).toBe(referenceIn(first!.body))
})

it('nothing leaves for an invoice in no list, or in a list from before the mandate', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await list(sandbox, id)
  await installation.sql(
    `update companies set mandate_signed_on = '2026-11-17', mandate_reference = 'Coffre 12' where id = $1`,
    [sandbox.companyId],
  )
  await sandbox.advanceToDay('2026-11-18')
  const { claims, ...listed } = await list(sandbox, id)
  expect(claims).toMatchObject([{ invoiceId: id, indemnityCents: 4_000, currency: 'EUR' }])
  expect(await sandbox.done('GET', `/api/v1/claim-lists/${listed.id}`)).toMatchObject({
    ...listed,
    acceptedOn: '2026-11-18',
    acceptedBy: 'Claire Lambert, gérante',
    claims,
  })
  const printed = await fetch(`${installation.server.baseUrl}/api/v1/claim-lists/${listed.id}/pdf`, {
    headers: { 'x-api-key': sandbox.key },
  })
  expect([printed.status, printed.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { text } = readPdf(Buffer.from(await printed.arrayBuffer()))
  for (const words of [
    'Liste des créances à recouvrer',
    'Acceptée le 18/11/2026 par Claire Lambert, gérante',
    'Mandat du',
    'Leroy SARL',
    '40,00',
    'Pour le créancier, date et signature',
  ])
    expect(text).toContain(words)

  const { id: other } = await sandbox.invoice({ debtor: lyonDebtor('Morel SARL') })
  await sandbox.advanceToDay('2026-12-31')
  expect((await sentBy(sandbox)).some(({ invoiceIds }) => invoiceIds.includes(other))).toBe(false)
  expect(await sandbox.nextAction(other)).toMatchObject({ nextAction: null, reasonCode: 'claim_unlisted' })
})

it('two invoices of a debtor: a text message names one letter, and executes no step of an invoice without one', async () => {
  const sandbox = await collectedSandbox()
  const debtor = lyonDebtor('Leroy SARL')
  const { id: first } = await sandbox.invoice({ debtor })
  await list(sandbox, first)
  // The text message of the first is due on the day on which the second begins.
  await sandbox.advanceToDay('2026-11-24')
  const { id: second } = await sandbox.invoice({ debtor })
  await list(sandbox, second)
  await sandbox.advanceToDay('2027-01-31')
  const messages = await sentBy(sandbox)
  const firstAbout = messages.find(({ invoiceIds }) => invoiceIds.includes(second))!
  expect(['email', 'lrar']).toContain(firstAbout.channel)
  for (const { channel, body } of messages)
    if (channel === 'sms' || channel === 'voice') expect(new Set(body.match(/R-[0-9A-Z]{7}/g)).size).toBe(1)
  const both = messages.filter(({ invoiceIds }) => invoiceIds.length === 2).at(-1)
  if (both && both !== firstAbout) expect(new Set(both.body.match(/R-[0-9A-Z]{7}/g)).size).toBe(2)
  await expectLettersFirst(sandbox)
})

it('a collector writes to debtors in its countries only', async () => {
  const sandbox = await collectedSandbox()
  const abroad = {
    ...lyonDebtor('Janssens'),
    country: 'BE',
    postalCode: '1000',
    city: 'Bruxelles',
    phone: undefined,
  }
  const { id } = await sandbox.invoice({ debtor: abroad })
  await list(sandbox, id)
  await sandbox.advanceToDay('2026-12-31')
  expect(await channelsOf(sandbox)).toEqual([])
  expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: null, reasonCode: 'collector_abroad' })
})

it('a creditor that writes to a business abroad is told that its messages name French law', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = {
    name: 'Janssens',
    email: 'ap@janssens.example',
    country: 'BE',
    postalCode: '1000',
    type: 'business',
  }
  const answer = await sandbox.call('POST', '/api/v1/invoices', {
    invoiceNumber: 'F-BE-1',
    amountCents: 120_000,
    issueDate: '2026-09-01',
    dueDate: '2026-10-15',
    debtor,
  })
  expect(answer.body.warnings?.map(({ code }) => code)).toContain('debtor_abroad')
})
