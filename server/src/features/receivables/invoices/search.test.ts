import { beforeAll, expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Found {
  debtors: { id: string; name: string }[]
  invoices: { id: string; invoiceNumber: string; debtorName: string }[]
}

const find = async (q: string) => {
  const answer = await installation.call<Found>('GET', `/api/v1/search?q=${encodeURIComponent(q)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const create = async (invoiceNumber: string, debtor: Record<string, unknown>) =>
  (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ invoiceNumber, debtor, dueDate: '2027-02-01' }),
    })
  ).body.data

let zenith: { id: string; debtor: { id: string } }
beforeAll(async () => {
  const siret = '73282932000074'
  zenith = await create('ZEN-2026-001', {
    name: 'Zénith Éclairage SAS',
    email: 'compta@zenith.example',
    siret,
  })
  for (let i = 0; i < 12; i++)
    await create(`LOT-${i}`, { name: `Lotissement ${i}`, email: `lot${i}@lots.example` })
})

it.each(['zenith ecl', 'COMPTA@zenith', '732 829 320 00074', '73282932'])('finds a debtor by %s', async q => {
  expect((await find(q)).debtors.map(({ id }) => id)).toEqual([zenith.debtor.id])
})

it.each([
  ['Œuvres Æther', ['oeuvres', 'œuvres', 'aether']],
  ['Straßenbau Müller', ['strassen', 'straße', 'STRASSE']],
  ['Łódź Ørsted', ['lodz', 'łódź', 'orsted']],
  ['Đorđević d’Été', ['dordevic', "d'ete", 'd’été', 'd`ete']],
])(
  'ligatures, letters with a stroke and apostrophes: %s is found however it is typed',
  async (name, typed) => {
    const made = await create(`SEARCH-${name}`, { name, email: 'achats@search.example' })
    for (const q of typed) {
      expect(
        (await find(q)).debtors.map(debtor => debtor.id),
        q,
      ).toEqual([made.debtor.id])
      for (const path of ['/api/v1/debtors', '/api/v1/invoices']) {
        const listed = await installation.call<{ id: string }[]>(
          'GET',
          `${path}?search=${encodeURIComponent(q)}`,
        )
        expect(listed.body.data.map(({ id }) => id)).toEqual([
          path.includes('debtors') ? made.debtor.id : made.id,
        ])
      }
    }
  },
)

it('finds an invoice by its number, by the name of its debtor and by its id', async () => {
  for (const q of ['zen-2026', 'éclairage', zenith.id])
    expect((await find(q)).invoices).toMatchObject([
      { id: zenith.id, invoiceNumber: 'ZEN-2026-001', debtorName: 'Zénith Éclairage SAS' },
    ])
  expect((await find(zenith.debtor.id)).debtors.map(({ id }) => id)).toEqual([zenith.debtor.id])
})

it('answers eight of each at most, the newest first, and the invoice that was named before all', async () => {
  const { debtors, invoices } = await find('lotissement')
  expect(debtors.map(({ name }) => name)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map(i => `Lotissement ${i}`))
  expect(invoices.map(({ invoiceNumber }) => invoiceNumber)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4].map(i => `LOT-${i}`),
  )
  expect((await find('LOT-1')).invoices.map(({ invoiceNumber }) => invoiceNumber).slice(0, 3)).toEqual([
    'LOT-1',
    'LOT-11',
    'LOT-10',
  ])
})

it('looks for nothing but a whole number with less than three characters', async () => {
  await create('7Z', { name: 'Court', email: 'court@court.example' })
  expect(await find('7Z')).toMatchObject({ debtors: [], invoices: [{ invoiceNumber: '7Z' }] })
  expect(await find('lo')).toEqual({ debtors: [], invoices: [] })
})

it('finds nothing of another company', async () => {
  const sandboxKey = installation.company.sandboxKey
  const answer = await installation.call<Found>('GET', '/api/v1/search?q=zenith', { key: sandboxKey })
  expect(answer.body.data).toEqual({ debtors: [], invoices: [] })
})
