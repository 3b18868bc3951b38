import { createHash } from 'node:crypto'
import pg from 'pg'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Contacts {
  chain: {
    valid: boolean
    length: number
    head: string | null
    brokenAt: number | null
    because: string | null
  }
  contacts: {
    position: number
    kind: string
    channel: string
    step: string
    at: string
    fate: string
    verdict: { rules: number; channel: string } | null
    previous: string | null
    hash: string
    entry: string
  }[]
}

const contactsOf = (sandbox: Sandbox, id: string, query = '') =>
  sandbox.done<Contacts>('GET', `/api/v1/debtors/${id}/contacts${query}`)

/** Contacts of three weeks. */
async function someContacts(name: string) {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor(name) })
  await sandbox.advanceToDay('2026-12-06')
  return { sandbox, debtorId: debtor.id }
}

it('a debtor nobody has contacted has an empty chain, which is whole', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', lyonDebtor('Personne SARL'))
  expect(await contactsOf(sandbox, debtor.id)).toEqual({
    debtorId: debtor.id,
    closedChannels: [],
    chain: { valid: true, length: 0, head: null, brokenAt: null, because: null },
    contacts: [],
  })
})

it('every contact is there, the oldest first, each with what the rules saw and the hash of the one before', async () => {
  const { sandbox, debtorId } = await someContacts('Preuve SARL')
  const { chain, contacts } = await contactsOf(sandbox, debtorId)
  expect(contacts.map(contact => `${contact.at.slice(0, 10)} ${contact.step} ${contact.fate}`)).toEqual([
    '2026-11-16 email_prise_en_charge accepted',
    '2026-11-21 relance_email_1 accepted',
    '2026-11-25 sms_reminder accepted',
    '2026-11-30 relance_email_2 accepted',
    '2026-12-04 ai_call accepted',
  ])
  expect(chain).toEqual({
    valid: true,
    length: 5,
    head: contacts.at(-1)!.hash,
    brokenAt: null,
    because: null,
  })
  for (const [i, contact] of contacts.entries()) {
    expect(contact).toMatchObject({
      position: i + 1,
      kind: 'contact',
      previous: contacts[i - 1]?.hash ?? null,
    })
    expect(contact.verdict).toMatchObject({ channel: contact.channel, zone: 'Europe/Paris' })
    // Anybody can check it with any tool.
    expect(createHash('sha256').update(contact.entry).digest('hex')).toBe(contact.hash)
  }
})

it('holds nothing of a person: no name, address or number', async () => {
  const sandbox = await newSandbox(installation)
  const person = lyonDebtor('Discret SARL')
  const { debtor } = await sandbox.invoice({ debtor: person })
  await sandbox.advanceToDay('2026-12-06')
  const text = JSON.stringify((await contactsOf(sandbox, debtor.id)).contacts)
  for (const secret of [person.name, person.email, person.phone, person.address, '@'])
    expect(text).not.toContain(secret)
})

it('is read page by page, and checked as a whole on each', async () => {
  const { sandbox, debtorId } = await someContacts('Pages SARL')
  const second = await contactsOf(sandbox, debtorId, '?page=2&limit=2')
  expect(second.contacts.map(contact => contact.position)).toEqual([3, 4])
  expect(second.chain).toMatchObject({ valid: true, length: 5 })
  expect((await contactsOf(sandbox, debtorId, '?page=4&limit=2')).contacts).toEqual([])
})

const tampering: [what: string, text: string, brokenAt: number][] = [
  [
    'an entry that was changed',
    `update contact_ledger set entry = replace(entry, '"email"', '"sms"') where debtor_id = $1 and position = 2`,
    2,
  ],
  [
    'an entry that was changed together with its hash',
    `update contact_ledger set entry = replace(entry, '"email"', '"sms"'),
       hash = sha256(convert_to(replace(entry, '"email"', '"sms"'), 'UTF8')) where debtor_id = $1 and position = 2`,
    3,
  ],
  [
    'an entry nobody can read',
    `update contact_ledger set entry = '{' where debtor_id = $1 and position = 4`,
    4,
  ],
  ['an entry that is missing', `delete from contact_ledger where debtor_id = $1 and position = 3`, 3],
  ['a last entry that is missing', `delete from contact_ledger where debtor_id = $1 and position = 5`, 4],
  [
    'a last entry that was changed together with its hash',
    `update contact_ledger set entry = replace(entry, 'accepted', 'unknown'),
       hash = sha256(convert_to(replace(entry, 'accepted', 'unknown'), 'UTF8')) where debtor_id = $1 and position = 5`,
    5,
  ],
]
it.each(tampering)('%s shows, and where', async (_what, text, brokenAt) => {
  const { sandbox, debtorId } = await someContacts('Faussaire SARL')
  await installation.sql(text, [debtorId])
  const { chain } = await contactsOf(sandbox, debtorId)
  expect(chain).toMatchObject({ valid: false, brokenAt, because: expect.any(String) })
})

it('no role of ours may change or remove an entry', async () => {
  const { sandbox, debtorId } = await someContacts('Gardien SARL')
  for (const role of ['API', 'WORKER', 'OPERATOR'] as const) {
    const client = new pg.Client({ connectionString: installation.database.env[`${role}_DATABASE_URL`] })
    await client.connect()
    try {
      for (const text of [
        `update contact_ledger set entry = '{}' where debtor_id = $1`,
        `update contact_ledger set position = position + 1 where debtor_id = $1`,
        'delete from contact_ledger where debtor_id = $1',
      ]) {
        await client.query('begin')
        await client.query(`select set_config('relance.tenant', $1, true)`, [sandbox.tenantId])
        await expect(client.query(text, [debtorId]), `${role}: ${text}`).rejects.toMatchObject({
          code: '42501',
        })
        await client.query('rollback')
      }
      await expect(client.query('truncate contact_ledger')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.end()
    }
  }
  expect((await contactsOf(sandbox, debtorId)).chain).toMatchObject({ valid: true, length: 5 })
})
