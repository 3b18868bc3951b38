import { describe, expect, it } from 'vitest'
import type { Row } from '../../../kit/sheets/cell.ts'
import { findHeader, matchTitle, titleWords } from './match-header.ts'
import { columnTitles, type ImportField, importFields } from './row-fields.ts'

const row = (line: number, ...cells: (string | null)[]): Row => ({ line, cells })

describe('titles', () => {
  it.each<[string, ImportField | null]>([
    ['N° facture', 'invoiceNumber'],
    ['N° de pièce', 'invoiceNumber'],
    ['NUMÉRO DE PIÈCE', 'invoiceNumber'],
    ['Num. facture', 'invoiceNumber'],
    ['Invoice No.', 'invoiceNumber'],
    ['invoiceNumber', 'invoiceNumber'],
    ['Date d’échéance', 'dueDate'],
    ["Date d'echeance", 'dueDate'],
    ['ÉCHÉANCE', 'dueDate'],
    ['Due Date', 'dueDate'],
    ['Date de livraison', 'suppliedOn'],
    ['Date de livraison ou de prestation', 'suppliedOn'],
    ['Date de fin de prestation', 'suppliedOn'],
    ['Delivery date', 'suppliedOn'],
    ['Date of supply', 'suppliedOn'],
    ['suppliedOn', 'suppliedOn'],
    ['Date de livraison prévue', null],
    ['Expected delivery date', null],
    ['Date', 'issueDate'],
    ['Date de la facture', 'issueDate'],
    ['Montant TTC (€)', 'amount'],
    ['Total T.T.C.', 'amount'],
    ['Montant', 'amount'],
    ['Montant HT', null],
    ['Total HT', null],
    ['Montant TVA', null],
    ['Solde dû', 'balance'],
    ['SOLDE DU', 'balance'],
    ['Montant du', 'balance'],
    ['Reste à payer (EUR)', 'balance'],
    ['Amount due', 'balance'],
    ['Montant réglé', 'paid'],
    ['amountCents', 'amountCents'],
    ['Client', 'debtor.name'],
    ['Raison sociale', 'debtor.name'],
    ['Raison sociale du client facturé', 'debtor.name'],
    ['Code client', null],
    ['N° client', null],
    ['Compte tiers', null],
    ['debtor.name', 'debtor.name'],
    ['E-mail', 'debtor.email'],
    ['Adresse e-mail', 'debtor.email'],
    ['E-mail comptabilité fournisseurs', 'debtor.email'],
    ['Adresse', 'debtor.address'],
    ['Adresse de livraison', null],
    ['Complément d’adresse', 'debtor.addressMore'],
    ['Tél.', 'debtor.phone'],
    ['Téléphone portable', 'debtor.mobile'],
    ['SIRET', 'debtor.siret'],
    ['N° SIRET', 'debtor.siret'],
    ['Code postal', 'debtor.postalCode'],
    ['CP', 'debtor.postalCode'],
    ['Date de relance', null],
    ['Mode de règlement', null],
    ['Commercial', null],
  ])('%s means %s', (title, field) => {
    expect(matchTitle(title).field).toBe(field)
  })

  it('no name stands for two fields', () => {
    const owners = new Map<string, Set<ImportField>>()
    for (const field of importFields)
      for (const title of `${columnTitles[field].sure},${columnTitles[field].likely ?? ''}`.split(',')) {
        const key = titleWords(title).join(' ')
        if (key !== '') owners.set(key, (owners.get(key) ?? new Set()).add(field))
      }
    expect([...owners].filter(([, fields]) => fields.size > 1)).toEqual([])
  })

  it('every name that is listed is recognised as its field', () => {
    for (const field of importFields)
      for (const title of columnTitles[field].sure.split(','))
        expect(matchTitle(title), title).toEqual({ field, confidence: 1 })
  })
})

describe('headers', () => {
  const titles = ['N° facture', 'Client', null, 'E-mail', 'Date', 'Échéance', 'Montant TTC']

  it('it is found below the title of a report, and blank columns do not matter', () => {
    const header = findHeader([
      row(1, 'Balance âgée au 31/10/2026'),
      row(3, 'Société', 'Atelier Martin'),
      row(5, ...titles),
      row(6, 'F-1', 'Durand', null, 'a@b.fr', '01/09/2026', '01/10/2026', '12,50'),
    ])!
    expect(header.line).toBe(5)
    expect(header.mapping).toEqual({
      invoiceNumber: 0,
      'debtor.name': 1,
      'debtor.email': 3,
      issueDate: 4,
      dueDate: 5,
      amount: 6,
    })
    expect(header.missing).toEqual([])
    expect(header.ambiguous).toEqual([])
  })

  it('a sure name outdoes a likely one', () => {
    const header = findHeader([
      row(1, 'Facture', 'Client', 'Raison sociale', 'Numéro de facture', 'Montant', 'Total TTC'),
    ])!
    expect(header.mapping).toMatchObject({ 'debtor.name': 2, invoiceNumber: 3, amount: 5 })
  })

  it('equal names are told, and missing ones', () => {
    const header = findHeader([row(1, 'Numéro de facture', 'Montant TTC', 'Total TTC', 'Client')])!
    expect(header.ambiguous).toEqual([{ field: 'amount', titles: ['Montant TTC', 'Total TTC'] }])
    expect(header.missing).toEqual(['issueDate', 'dueDate', 'debtor.email'])
    expect(header.mapping.amount).toBeUndefined()
  })

  it('the signature is that of the titles, not of their spelling', () => {
    const signature = (...cells: (string | null)[]) => findHeader([row(1, ...cells)])!.signature
    expect(signature('N° Facture', 'CLIENT', 'Montant TTC')).toBe(
      signature('numéro facture', 'client', 'montant ttc (€)'),
    )
    expect(signature('N° Facture', 'Client', 'Montant TTC')).not.toBe(
      signature('Client', 'N° Facture', 'Montant TTC'),
    )
    expect(signature('N° Facture', 'Client', 'Montant TTC')).toMatch(/^[0-9a-f]{32}$/)
  })

  it('a file without titles has no header', () => {
    expect(findHeader([row(1, 'F-1', 'Durand', '12,50'), row(2, 'F-2', 'Petit', '7')])).toBeNull()
    expect(findHeader([])).toBeNull()
  })
})
