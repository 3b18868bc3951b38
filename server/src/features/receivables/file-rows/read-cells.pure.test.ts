import { describe, expect, it } from 'vitest'
import { rowReaderOf } from '../../../../test/harness/read-rows.ts'
import type { Cell, Row } from '../../../kit/sheets/cell.ts'
import { SheetError, sheetErrorCodes } from '../../../kit/sheets/sheet-error.ts'
import type { RowResult } from './check-fields.ts'
import { fieldNames, frenchSheetErrors, headerFaults } from './file-sentences.ts'
import { planImport } from './plan-file.ts'
import { rowFaults, rowHeals, rowSkips } from './row-codes.ts'
import { importFields } from './row-fields.ts'

const number = (text: string): Cell => ({ kind: 'number', text })

async function* inBatches(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3)
}

async function readRows(
  titles: string[],
  cells: readonly Cell[][],
  language: 'fr' | 'en' = 'fr',
): Promise<RowResult[]> {
  const rows = [
    { line: 1, cells: titles as Cell[] },
    ...cells.map((row, at) => ({ line: at + 2, cells: row })),
  ]
  const planned = await planImport(inBatches(rows), { language })
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned.faults))
  return rows.slice(1).map(rowReaderOf(planned.plan, language))
}

const titles = ['N° facture', 'Client', 'E-mail', 'Date', 'Échéance', 'Montant TTC']
const invoice = (changes: Partial<Record<number, Cell>> = {}): Cell[] =>
  ['F-1', 'Durand SARL', 'compta@durand.fr', '15/09/2026', '15/10/2026', '1 234,56 €'].map((cell, at) =>
    at in changes ? changes[at]! : cell,
  )

/** What became of a row, in short. */
function shown(result: RowResult): string {
  if ('skipped' in result) return result.skipped
  if ('refused' in result) return result.refused.map(({ field, code }) => `${field} ${code}`).join(', ')
  return [result.input.amountCents, ...result.healed.map(({ field, code }) => `${field} ${code}`)].join(', ')
}
const one = async (changes: Partial<Record<number, Cell>>) =>
  shown((await readRows(titles, [invoice(changes)]))[0]!)

it('a row becomes the input of an invoice', async () => {
  const more = [
    'Téléphone',
    'SIRET',
    'Adresse',
    'Complément d’adresse',
    'Code postal',
    'Ville',
    'Pays',
    'Prénom',
    'Objet',
  ]
  const cells = [
    '06 12 34 56 78',
    number('73282932000074'),
    '1 rue des Lilas\r\nBât. B',
    'BP 12',
    number('1000'),
    'Bourg',
    'France',
    'Anne',
    'Conseil',
  ]
  expect(await readRows([...titles, ...more], [[...invoice(), ...cells]])).toEqual([
    {
      line: 2,
      input: {
        invoiceNumber: 'F-1',
        amountCents: 123_456,
        currency: 'EUR',
        issueDate: '2026-09-15',
        dueDate: '2026-10-15',
        description: 'Conseil',
        debtor: {
          name: 'Anne Durand SARL',
          email: 'compta@durand.fr',
          phone: '+33612345678',
          siret: '73282932000074',
          address: '1 rue des Lilas\nBât. B\nBP 12',
          postalCode: '01000',
          city: 'Bourg',
          country: 'FR',
        },
      },
      healed: [
        {
          field: 'debtor.phone',
          title: 'Téléphone',
          from: '06 12 34 56 78',
          to: '+33612345678',
          code: 'phone_completed',
        },
        {
          field: 'debtor.postalCode',
          title: 'Code postal',
          from: '1000',
          to: '01000',
          code: 'postal_code_padded',
        },
      ],
    },
  ])
})

it('the day of supply is read by the order of the other dates, and may be missing', async () => {
  const read = async (cell: Cell) =>
    (
      await readRows(
        [...titles, 'Date de livraison'],
        [
          [...invoice(), cell],
          [...invoice({ 0: 'F-2' }), '31/08/2026'],
        ],
      )
    )[0]!
  const suppliedOn = async (cell: Cell) => {
    const result = await read(cell)
    return 'input' in result ? (result.input.suppliedOn ?? null) : shown(result)
  }
  expect(await suppliedOn('01/09/2026')).toBe('2026-09-01')
  expect(await suppliedOn('2026-09-01')).toBe('2026-09-01')
  expect([await suppliedOn(''), await suppliedOn('néant')]).toEqual([null, null])
  expect(await suppliedOn('bientôt')).toBe('suppliedOn date_not_a_day')
})

describe('rows', () => {
  it.each<[Partial<Record<number, Cell>>, string]>([
    [{}, '123456'],
    [{ 0: null }, 'invoiceNumber value_missing'],
    [{ 1: ' ' }, 'debtor.name value_missing'],
    [{ 2: null }, 'debtor.email value_missing'],
    [{ 3: null, 4: null }, 'issueDate value_missing, dueDate value_missing'],
    [{ 5: null }, 'amountCents value_missing'],
    [{ 5: '0,00' }, 'amountCents amount_zero'],
    [{ 5: '-12,00' }, 'amountCents amount_negative'],
    [{ 5: '12 $' }, 'currency currency_ambiguous'],
    [{ 5: '12 XTS' }, 'currency currency_unknown'],
    [{ 5: { kind: 'number', text: '10', unit: '$' } }, 'currency currency_ambiguous'],
    [{ 5: { kind: 'number', text: '10', unit: '€' } }, '1000'],
    [{ 5: { kind: 'number', text: '10', unit: 'k€' } }, 'amountCents amount_unit_unknown'],
    [{ 5: { kind: 'number', text: '10', unit: '¤' } }, 'currency currency_ambiguous'],
    [{ 4: '14/09/2026' }, 'dueDate due_before_issue'],
    [{ 5: { kind: 'error', text: '#N/A' } }, 'amountCents cell_error'],
    [{ 5: { kind: 'empty', text: '', formula: true } }, 'amountCents formula_without_value'],
    [{ 5: { kind: 'text', text: '=A1', formula: true } }, 'amountCents formula_without_value'],
    [{ 5: { kind: 'number', text: '12.5', formula: true } }, '1250'],
    [{ 1: 'x'.repeat(201) }, 'debtor.name text_too_long'],
    [{ 1: 'Durand, payez sur https://durand.fr' }, 'debtor.name payment_details'],
    [{ 1: 'Du\u202erand' }, 'debtor.name value_not_allowed'],
    [{ 0: null, 1: null, 2: null, 3: null, 4: null }, 'total_row'],
    [{ 0: 'TOTAL', 1: null, 2: null, 3: null, 4: null }, 'total_row'],
    [{ 0: null, 1: 'Sous-total Durand', 2: null, 3: null, 4: null }, 'total_row'],
    [{ 1: 'Total Énergies' }, '123456'],
    [{ 0: 'Édité le 12/11/2026', 1: null, 2: null, 3: null, 4: null, 5: null }, 'note_row'],
    [{ 0: ' ', 1: null, 2: null, 3: null, 4: null, 5: '\u00a0' }, 'blank_row'],
    [
      { 0: 'N° FACTURE', 1: 'client', 2: 'E-MAIL', 3: 'DATE', 4: 'échéance ', 5: 'Montant TTC' },
      'repeated_header',
    ],
  ])('with %j it is: %s', async (changes, result) => {
    expect(await one(changes)).toBe(result)
  })

  it('a hidden row is not imported', async () => {
    const rows: Row[] = [
      { line: 1, cells: titles },
      { line: 2, cells: invoice(), hidden: true },
    ]
    const planned = await planImport(inBatches(rows))
    expect('plan' in planned && rowReaderOf(planned.plan)(rows[1]!)).toMatchObject({ skipped: 'hidden_row' })
  })

  it('the same row twice is imported once, and different rows with one number not at all', async () => {
    const results = await readRows(titles, [
      invoice(),
      invoice(),
      invoice({ 0: 'F-2' }),
      invoice({ 0: 'F-2', 5: '7,00' }),
    ])
    expect(results.map(shown)).toEqual([
      '123456',
      'repeated_row',
      'invoiceNumber duplicate_number',
      'invoiceNumber duplicate_number',
    ])
    expect(results[3]).toMatchObject({ refused: [{ message: expect.stringContaining('lignes 4, 5') }] })
  })

  it('columns judge what a cell alone does not say', async () => {
    const american = await readRows(titles, [
      invoice({ 3: '03/04/2026', 4: '04/05/2026', 5: '1,234' }),
      invoice({ 0: 'F-2', 3: '03/25/2026', 4: '04/25/2026', 5: '12.50' }),
    ])
    expect(american[0]).toMatchObject({
      input: { issueDate: '2026-03-04', dueDate: '2026-04-05', amountCents: 123_400 },
    })
    expect(shown(american[0]!)).toBe(
      '123400, amountCents amount_by_column, issueDate date_by_column, dueDate date_by_column',
    )
    const mixed = await readRows(titles, [
      invoice({ 3: '03/04/2026' }),
      invoice({ 0: 'F-2', 3: '03/25/2026' }),
      invoice({ 0: 'F-3', 3: '25/03/2026' }),
    ])
    expect(shown(mixed[0]!)).toBe('issueDate date_ambiguous')
  })

  it('the order of one date column counts for the other', async () => {
    const [first] = await readRows(titles, [
      invoice({ 3: '03/04/2026', 4: '04/25/2026' }),
      invoice({ 0: 'F-2', 3: '03/04/2026', 4: '04/26/2026' }),
    ])
    expect(first).toMatchObject({ input: { issueDate: '2026-03-04' } })
  })

  it('an optional cell that says nothing is empty, and one that cannot be read is refused', async () => {
    const phones = await readRows(
      [...titles, 'Téléphone', 'SIRET'],
      [
        [...invoice(), 'néant', '-'],
        [...invoice({ 0: 'F-2' }), 'voir Paul', null],
        [...invoice({ 0: 'F-3' }), null, '3,56E+13'],
        [...invoice({ 0: 'F-4' }), null, '732829320'],
      ],
    )
    expect(phones.map(shown)).toEqual([
      '123456, debtor.siret placeholder_left_out, debtor.phone placeholder_left_out',
      'debtor.phone phone_unreadable',
      'debtor.siret siret_digits_lost',
      '123456, debtor.siret siren_only',
    ])
    expect(phones[3]).toMatchObject({ input: { debtor: { type: 'business' } } })
  })

  it('a column in cents is not multiplied', async () => {
    const [result] = await readRows([...titles.slice(0, 5), 'amountCents'], [invoice({ 5: number('1250') })])
    expect(shown(result!)).toBe('1250')
  })

  it('a payment is taken off a column in cents as well', async () => {
    const [result] = await readRows(
      [...titles.slice(0, 5), 'amountCents', 'Montant réglé'],
      [[...invoice({ 5: number('1250') }), '2,50']],
    )
    expect(shown(result!)).toBe('1000, amountCents balance_taken')
  })

  it('an existing debtor needs no name', async () => {
    const id = '0192d3a0-0000-7000-8000-000000000001'
    const [result] = await readRows(
      ['N° facture', 'debtor.id', 'Date', 'Échéance', 'Montant TTC'],
      [['F-1', id, '15/09/2026', '15/10/2026', '12,00']],
    )
    expect(result).toMatchObject({ input: { debtor: { id } } })
  })
})

describe('money that is paid already is not claimed', () => {
  it.each<[string, Cell[], string]>([
    ['Reste à payer', ['1 234,56'], '123456'],
    ['Reste à payer', ['234,56'], '23456, amountCents balance_taken'],
    ['Reste à payer', ['0,00'], 'already_paid'],
    ['Reste à payer', [null], 'amountCents balance_missing'],
    ['Reste à payer', ['2 000,00'], 'amountCents balance_above_amount'],
    ['Reste à payer', ['-5,00'], 'amountCents amount_negative'],
    ['Montant réglé', ['1 000,00'], '23456, amountCents balance_taken'],
    ['Montant réglé', ['1 234,56'], 'already_paid'],
    ['Montant réglé', [null], '123456'],
    ['Montant réglé', ['2 000,00'], 'already_paid'],
    ['Montant réglé', ['-5,00'], 'amountCents balance_above_amount'],
    ['Montant réglé', ['en partie'], 'amountCents amount_not_a_number'],
    ['Payé', ['Oui'], 'already_paid'],
    ['Payé', [{ kind: 'boolean', text: 'FALSE' }], '123456'],
    ['Statut', ['Payée'], 'already_paid'],
    ['Statut', ['Impayée'], '123456'],
    ['Statut', ['Partiellement payée'], '123456'],
    ['Statut', ['Non réglée'], '123456'],
    ['Statut', ['Unpaid'], '123456'],
    ['Statut', ['Annulée'], 'not_an_open_invoice'],
    ['Statut', ['Brouillon'], 'not_an_open_invoice'],
    ['Type de pièce', ['Avoir'], 'not_an_open_invoice'],
    ['Type de pièce', ['Facture'], '123456'],
  ])('%s: %j', async (title, cells, result) => {
    const [read] = await readRows([...titles, title], [[...invoice(), ...cells]])
    expect(shown(read!)).toBe(result)
  })
})

describe('headers', () => {
  it('missing and ambiguous columns are named, and a remembered mapping replaces the proposal', async () => {
    const rows = [{ line: 1, cells: ['N° facture', 'Montant TTC', 'Total TTC', 'Client', 'E-mail', 'Date'] }]
    const planned = await planImport(inBatches(rows))
    expect('faults' in planned && planned.faults.map(({ code, field }) => `${field} ${code}`)).toEqual([
      'amount column_ambiguous',
      'dueDate column_missing',
    ])
    const recall = async (signature: string) =>
      signature === planned.header!.signature
        ? { invoiceNumber: 0, amount: 2, 'debtor.name': 3, 'debtor.email': 4, issueDate: 5, dueDate: 5 }
        : undefined
    expect(await planImport(inBatches(rows), { recall })).toHaveProperty('plan.mapping.amount', 2)
  })

  it('a file without titles is told so', async () => {
    expect(await planImport(inBatches([{ line: 1, cells: ['a', 'b'] }]))).toMatchObject({
      header: null,
      faults: [{ code: 'header_not_found' }],
    })
  })
})

describe('sentences', () => {
  const place = { title: 'Montant', value: '12', lines: '4, 5' }
  const sentencesOf = (
    list: Record<string, { fr(detail: never): string; en(detail: never): string }>,
    detail: unknown,
  ) =>
    Object.entries(list).flatMap(([code, { fr, en }]) => [
      { code, language: 'fr', text: fr(detail as never) },
      { code, language: 'en', text: en(detail as never) },
    ])
  const all = [
    ...sentencesOf({ ...rowFaults, ...rowHeals, ...rowSkips }, place),
    ...sentencesOf(headerFaults, { field: 'amount', titles: ['A', 'B'] }),
    ...sheetErrorCodes.flatMap(code => [
      { code, language: 'fr', text: frenchSheetErrors[code]({ line: 3, limit: 50_000_000 }) },
      { code, language: 'en', text: new SheetError(code, { line: 3, limit: 50 }).message },
    ]),
  ]

  it.each(all)('$code in $language is short and set as it should be', ({ language, text }) => {
    expect(text).toMatch(/[.…]$/)
    expect(text).not.toContain('undefined')
    for (const sentence of text.split(/[.;:] /)) expect(sentence.split(/\s+/).length).toBeLessThanOrEqual(25)
    if (language === 'fr') expect(text).not.toMatch(/'|[ ][:;?!»]|« /)
  })

  it('every field has a name in both languages', () => {
    for (const field of importFields) expect(Object.values(fieldNames[field]).every(Boolean)).toBe(true)
  })
})

describe('the currency', () => {
  const currencyOf = async (changed: string[], row: Cell[], above: Cell[][] = []): Promise<string> => {
    const rows = [...above, changed, row].map((cells, at) => ({ line: at + 1, cells: cells as Cell[] }))
    const planned = await planImport(inBatches(rows))
    if (!('plan' in planned)) return planned.faults[0]!.code
    const result = rowReaderOf(planned.plan)(rows.at(-1)!)
    return 'input' in result ? String(result.input.currency) : shown(result)
  }
  const usual = invoice({ 5: '10,00' })

  it.each<[string, string]>([
    ['', 'undefined'],
    ['-', 'undefined'],
    ['€', 'EUR'],
    ['eur', 'EUR'],
    ['Euro (EUR)', 'EUR'],
    ['£', 'GBP'],
    ['US$', 'USD'],
    ['Fr.', 'CHF'],
    ['zł', 'PLN'],
    ['$', 'currency currency_ambiguous'],
    ['¥', 'currency currency_ambiguous'],
    ['kr', 'currency currency_ambiguous'],
    ['dollars', 'currency currency_ambiguous'],
    ['JPY', 'currency currency_unknown'],
    ['F CFA', 'currency currency_ambiguous'],
    ['bitcoin', 'currency currency_unknown'],
  ])('%j in its column is %s', async (text, result) => {
    expect(await currencyOf([...titles, 'Devise'], [...usual, text])).toBe(result)
  })

  it.each<[string, string]>([
    ['Montant TTC (USD)', 'USD'],
    ['Montant TTC (€)', 'EUR'],
    ['Montant en CHF', 'CHF'],
    ['Total US $', 'USD'],
    ['Montant ($)', 'currency currency_ambiguous'],
    ['Montant TTC (k€)', 'column_missing'],
    ['Montant TTC en milliers', 'column_missing'],
    ['Montant TTC (centimes)', 'amountCents amount_not_a_number'],
  ])('of the title %j is %s', async (title, result) => {
    expect(await currencyOf([...titles.slice(0, -1), title], usual)).toBe(result)
  })

  it.each<[Cell[], string]>([
    [['Devise : USD'], 'USD'],
    [['Devise', 'GBP'], 'GBP'],
    [['Montants en $'], 'currency currency_ambiguous'],
    [['Montants en k€'], 'amountCents amount_in_thousands'],
    [['ACME, factures impayées'], 'undefined'],
  ])('of the line %j above the titles is %s', async (cells, result) => {
    expect(await currencyOf(titles, usual, [cells])).toBe(result)
  })

  it('of a column without a title is read, and two that differ are refused', async () => {
    expect(await currencyOf([...titles, ''], [...usual, 'USD'])).toBe('USD')
    expect(await currencyOf([...titles, 'Devise'], [...invoice({ 5: '10,00 €' }), 'USD'])).toBe(
      'currency currency_conflict',
    )
    expect(await currencyOf([...titles, 'Devise'], [...invoice({ 5: '10,00 $' }), 'CAD'])).toBe('CAD')
  })
})

describe('a date that could mean two days', () => {
  const english = ['Invoice number', 'Customer', 'Email', 'Invoice date', 'Due date', 'Total']
  const cells = invoice({ 3: '03/04/2026', 4: '15.10.2026' })
  const open = invoice({ 3: '03/04/2026', 4: '05/06/2026' })

  it('has the day first in a French file, with a hint', async () => {
    expect(shown((await readRows(titles, [open]))[0]!)).toBe(
      '123456, issueDate date_day_first, dueDate date_day_first',
    )
  })

  it('needs no hint where the file proves it', async () => {
    expect(shown((await readRows(titles, [cells]))[0]!)).toBe('123456')
  })

  it('is refused where titles are English or numbers have a decimal point', async () => {
    const refused = 'issueDate date_ambiguous, dueDate date_ambiguous'
    expect(shown((await readRows(english, [open]))[0]!)).toBe(refused)
    expect(shown((await readRows(titles, [open.with(5, '1234.56')]))[0]!)).toBe(refused)
  })
})

it('what was changed names the title of its column and the text of its cell', async () => {
  const [row] = await readRows([...titles, 'Déjà réglé'], [[...invoice(), '234,56']])
  expect(row).toMatchObject({
    healed: [
      { field: 'amountCents', title: 'Montant TTC', from: '1 234,56 €', to: '100000', code: 'balance_taken' },
    ],
  })
})
