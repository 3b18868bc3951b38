import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { ActorRef } from '../../../../kit/events.ts'
import { debtorColumns, type ShownDebtor } from '../../../receivables/debtors/schema.ts'
import { type PaymentRow, paymentColumns } from '../../../receivables/payments/schema.ts'
import {
  beforeAllIds,
  cents,
  date,
  dayIn,
  type ExportSource,
  moment,
  nextAfter,
  number,
  text,
} from './source.ts'

const listDebtors = sql(
  'exports.list-debtors',
  `select ${debtorColumns} from debtors d where d.id > $1 and d.id <= $2 order by d.id limit $3`,
).as<ShownDebtor>()

export const debtorSource: ExportSource = {
  columns: [
    text('UUID', 'id'),
    text('Nom', 'name'),
    text('E-mail', 'email'),
    text('Téléphone', 'phone'),
    text('SIRET', 'siret'),
    text('Adresse', 'address'),
    text('Code postal', 'postalCode'),
    text('Ville', 'city'),
    text('Pays', 'country'),
    text('Type', 'type'),
    text('Langue', 'language'),
    text('Procédure collective', 'insolvency.kind'),
    date('Ouverte le', 'insolvency.openedOn'),
    text('Notes', 'notes'),
    text('Créé le', 'createdAt'),
  ],
  async read(tx, { upTo, timeZone }, after, count) {
    const rows = await tx.rows(listDebtors, [(after as string | null) ?? beforeAllIds, upTo, count])
    const toRow = (row: ShownDebtor) => ({
      day: dayIn(timeZone, row.created_at),
      cells: [
        row.id,
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
        row.insolvency_kind,
        row.insolvency_opened_on,
        row.notes,
        moment(row.created_at),
      ],
    })
    return { rows: rows.map(toRow), next: nextAfter(rows, count, row => row.id) }
  },
}

type ExportedPayment = PaymentRow & { number: string; name: string }
const listPayments = sql(
  'exports.list-payments',
  `select ${paymentColumns}, i.number, d.name
     from (select * from payments where id > $1 and id <= $2 order by id limit $3) p
     join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
     join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    order by p.id`,
).as<ExportedPayment>()

export const paymentSource: ExportSource = {
  columns: [
    text('UUID', 'id'),
    date('Jour', 'day'),
    cents('Montant', 'amountCents'),
    text('Devise', 'currency'),
    text('Statut', 'status'),
    text('Moyen', 'method'),
    text('Facture', 'invoiceNumber'),
    text('Client', 'debtorName'),
    text('Référence', 'externalReference'),
    text('Payé le', 'paidAt'),
    text('Motif d’échec', 'failureReason'),
    text('Créé le', 'createdAt'),
    text('UUID de la facture', 'invoiceId'),
  ],
  async read(tx, { upTo }, after, count) {
    const rows = await tx.rows(listPayments, [(after as string | null) ?? beforeAllIds, upTo, count])
    const toRow = (row: ExportedPayment) => ({
      day: row.day,
      cells: [
        row.id,
        row.day,
        String(row.amount_cents),
        row.currency,
        row.status,
        row.method,
        row.number,
        row.name,
        row.external_reference,
        moment(row.paid_at),
        row.failure_reason,
        moment(row.created_at),
        row.invoice_id,
      ],
    })
    return { rows: rows.map(toRow), next: nextAfter(rows, count, row => row.id) }
  },
}

type AuditRow = Pick<
  Tables['audit_log'],
  'id' | 'type' | 'subject_id' | 'request_id' | 'ip' | 'user_agent' | 'recorded_at'
> & { actor: ActorRef; data: Record<string, unknown> }
const listAudit = sql(
  'exports.list-audit',
  `select id, type, subject_id, data, actor, request_id, ip, user_agent, recorded_at from audit_log
    where id > $1 and id <= $2 order by id limit $3`,
).as<AuditRow>()

export const auditSource: ExportSource = {
  columns: [
    text('UUID', 'id'),
    text('Date', 'at'),
    text('Acte', 'type'),
    text('Type d’auteur', 'actor.kind'),
    text('Auteur', 'actor.id'),
    text('Pour', 'actor.onBehalfOf'),
    text('Objet', 'subjectId'),
    text('Adresse IP', 'ip'),
    text('Programme', 'userAgent'),
    text('Requête', 'requestId'),
    text('Données', 'data'),
  ],
  async read(tx, { upTo, timeZone }, after, count) {
    const rows = await tx.rows(listAudit, [(after as string | null) ?? beforeAllIds, upTo, count])
    const toRow = (row: AuditRow) => ({
      day: dayIn(timeZone, row.recorded_at),
      cells: [
        row.id,
        moment(row.recorded_at),
        row.type,
        row.actor.kind,
        row.actor.id,
        row.actor.onBehalfOf ?? null,
        row.type.startsWith('oauth_client.') ? String(row.data.clientId) : row.subject_id,
        row.ip,
        row.user_agent,
        row.request_id,
        JSON.stringify(row.data),
      ],
    })
    return { rows: rows.map(toRow), next: nextAfter(rows, count, row => row.id) }
  },
}

type ContactRow = Pick<Tables['contact_ledger'], 'debtor_id' | 'position' | 'entry' | 'hash'> & {
  name: string
}
const listContacts = sql(
  'exports.list-contacts',
  `select l.debtor_id, l.position, l.entry, l.hash, d.name
     from (select * from contact_ledger
            where (debtor_id, position) > ($1::uuid, $2::integer) and debtor_id <= $3 order by debtor_id, position limit $4) l
     join debtors d on d.tenant_id = l.tenant_id and d.id = l.debtor_id
    order by l.debtor_id, l.position`,
).as<ContactRow>()

const entryFields = ['at', 'kind', 'channel', 'step', 'fate', 'communicationId'] as const

/** An entry that cannot be read keeps its text. */
function readEntry(entry: string): Partial<Record<(typeof entryFields)[number], string>> {
  try {
    return JSON.parse(entry)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export const contactSource: ExportSource = {
  columns: [
    text('UUID du débiteur', 'debtorId'),
    text('Client', 'debtorName'),
    number('Position', 'position'),
    text('Date', 'at'),
    text('Nature', 'kind'),
    text('Canal', 'channel'),
    text('Étape', 'step'),
    text('Issue', 'fate'),
    text('UUID du message', 'communicationId'),
    text('Empreinte', 'hash'),
    text('Texte de l’empreinte', 'entry'),
  ],
  async read(tx, { upTo, createdAt, timeZone }, after, count) {
    const { debtorId = beforeAllIds, position = 0 } = (after ?? {}) as {
      debtorId?: string
      position?: number
    }
    const rows = await tx.rows(listContacts, [debtorId, position, upTo, count])
    const toRow = (row: ContactRow) => {
      const entry = readEntry(row.entry)
      const at = Date.parse(entry.at ?? '')
      // Contacts after the creation of the task are not part of it.
      if (at > createdAt) return []
      const known = entryFields.map(field => entry[field] ?? null)
      return [
        {
          day: Number.isNaN(at) ? '' : dayIn(timeZone, at),
          cells: [
            row.debtor_id,
            row.name,
            String(row.position),
            ...known,
            row.hash.toString('hex'),
            row.entry,
          ],
        },
      ]
    }
    const keyOf = (row: ContactRow) => ({ debtorId: row.debtor_id, position: row.position })
    return { rows: rows.flatMap(toRow), next: nextAfter(rows, count, keyOf) }
  },
}
