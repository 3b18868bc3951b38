import { balanceOf } from '../../../../domain/recovery/account.ts'
import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { walkInvoices } from '../../../receivables/invoices/invoice-filter.ts'
import { cents, date, type ExportSource, moment, text } from './source.ts'

type Invoice = Tables['invoices']
type Debtor = Tables['debtors']
type Row = Pick<
  Invoice,
  | 'id'
  | 'debtor_id'
  | 'number'
  | 'amount_cents'
  | 'currency'
  | 'issue_date'
  | 'due_date'
  | 'supplied_on'
  | 'description'
  | 'metadata'
  | 'notes'
  | 'status'
  | 'paid_cents'
  | 'credited_cents'
  | 'created_at'
> &
  Pick<
    Debtor,
    | 'name'
    | 'email'
    | 'phone'
    | 'siret'
    | 'address'
    | 'postal_code'
    | 'city'
    | 'country'
    | 'type'
    | 'language'
  >

const selectInvoices = sql(
  'exports.list-invoices',
  `select i.id, i.debtor_id, i.number, i.amount_cents, i.currency, i.issue_date, i.due_date, i.supplied_on, i.description, i.metadata, i.notes,
          i.status, i.paid_cents, i.credited_cents, i.created_at,
          d.name, d.email, d.phone, d.siret, d.address, d.postal_code, d.city, d.country, d.type, d.language
     from invoices i join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    where i.id = any ($1::uuid[]) order by i.id`,
).as<Row>()

/**
 * The import knows the titles and keys of the fields of an invoice, and no others: an export can be imported again, also by
 * another company. So the import does not read the ids of an export, which are those of one company.
 */
export const invoiceSource: ExportSource = {
  columns: [
    text('Numéro de facture', 'invoiceNumber'),
    date('Date de facture', 'issueDate'),
    date('Date d’échéance', 'dueDate'),
    date('Date de livraison ou de prestation', 'suppliedOn'),
    cents('Montant TTC', 'amountCents'),
    cents('Reste à payer', 'balanceCents'),
    text('Devise', 'currency'),
    text('Statut', 'status'),
    text('Description', 'description'),
    text('Nom du client', 'debtor.name'),
    text('E-mail', 'debtor.email'),
    text('Téléphone', 'debtor.phone'),
    text('SIRET', 'debtor.siret'),
    text('Adresse', 'debtor.address'),
    text('Code postal', 'debtor.postalCode'),
    text('Ville', 'debtor.city'),
    text('Pays', 'debtor.country'),
    text('Type de client', 'debtor.type'),
    text('Langue', 'debtor.language'),
    cents('Montant payé', 'paidCents'),
    cents('Avoirs', 'creditedCents'),
    text('Notes', 'notes'),
    text('Métadonnées', 'metadata'),
    text('Créée le', 'createdAt'),
    text('UUID de la facture', 'invoiceId'),
    text('UUID du débiteur', 'debtorId'),
  ],
  async read(tx, { filter, tenantId, companyId, createdAt: at, upTo }, after, count) {
    const range = { after: after as string | null, upTo, count }
    const { invoices, next } = await walkInvoices(tx, { tenantId, companyId, at }, filter, range)
    const rows = await tx.rows(selectInvoices, [invoices.map(({ id }) => id)])
    return { rows: rows.map(row => ({ day: row.issue_date, cells: cellsOf(row) })), next }
  },
}

function cellsOf(row: Row) {
  const { amount_cents: amount, paid_cents: paid, credited_cents: credited } = row
  const { balance, principal } = balanceOf({ amount, paid, credited })
  const metadata = JSON.stringify(row.metadata)
  return [
    row.number,
    row.issue_date,
    row.due_date,
    row.supplied_on,
    String(amount),
    String(balance),
    row.currency,
    row.status,
    row.description,
    row.name,
    row.email,
    row.phone,
    row.siret,
    row.address,
    row.postal_code,
    row.city,
    row.country,
    row.type,
    row.language,
    String(principal),
    String(credited),
    row.notes,
    metadata === '{}' ? null : metadata,
    moment(row.created_at),
    row.id,
    row.debtor_id,
  ]
}
