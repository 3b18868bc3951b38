import type { Channel } from '../../../../domain/contact/channel.ts'
import { balanceOf } from '../../../../domain/recovery/account.ts'
import { hasValidCheckDigit } from '../../../../domain/siret.ts'
import type { Tables } from '../../../../kit/db/schema.generated.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { findCompany } from '../../../access/companies/company.ts'
import type { HistoryStatus } from '../../case/history.ts'
import { factsOf } from '../../case/invoice-facts.ts'
import type { OpenRecovery, OperationContext } from '../../case/open-recovery.ts'
import type { AnrBasis, Attestation } from './attestation.ts'

const listedMax = 100

// Contacts come first, then the latest other actions: the proof that somebody was contacted is never left out.
const readActions = sql(
  'attestation.list-actions',
  `with listed as (
     select id, action, channel, status, executed_at, communication_id from actions where invoice_id = $1
      order by communication_id is null, executed_at desc, id desc limit ${listedMax})
   select action, channel, status, executed_at, communication_id, (select count(*) from actions where invoice_id = $1) as total
     from listed order by executed_at, id`,
).as<
  Pick<Tables['actions'], 'action' | 'channel' | 'status' | 'executed_at' | 'communication_id'> & {
    total: number
  }
>()

// A message has one ledger entry of kind `contact`, however many receipts followed.
const readProofs = sql(
  'attestation.list-proofs',
  `select l.position, l.hash, l.entry::jsonb ->> 'communicationId' as communication_id
     from contact_ledger l
    where l.debtor_id = $1 and l.entry::jsonb ->> 'kind' = 'contact'
      and (l.entry::jsonb ->> 'communicationId')::uuid in (select communication_id from actions where invoice_id = $2)`,
).as<{ position: number; hash: Buffer; communication_id: string }>()
const readSiret = sql('attestation.get-siret', 'select siret from debtors where id = $1')

async function readListedActions(
  tx: Tx,
  { row }: OpenRecovery,
): Promise<Pick<Attestation, 'actions' | 'unlisted'>> {
  const [actions, proofs] = await Promise.all([
    tx.rows(readActions, [row.invoice_id]),
    tx.rows(readProofs, [row.debtor_id, row.invoice_id]),
  ])
  const proofOf = new Map(
    proofs.map(({ communication_id, position, hash }) => [
      communication_id,
      { position, hash: hash.toString('hex') },
    ]),
  )
  return {
    actions: actions.map(({ action, channel, status, executed_at, communication_id }) => ({
      at: executed_at,
      action,
      channel: channel as Channel | null,
      status: status as HistoryStatus,
      proof: (communication_id !== null && proofOf.get(communication_id)) || null,
    })),
    unlisted: (actions[0]?.total ?? 0) - actions.length,
  }
}

/** Reads the content of the attestation, under the locks of the recovery. */
export async function readAttestation(
  { tx, actor, now, newId }: OperationContext,
  recovery: OpenRecovery,
  basis: AnrBasis,
  note: string | null,
): Promise<Attestation> {
  const { agenda, file, row } = recovery
  const [company, [debtor], listed] = await Promise.all([
    findCompany(tx, actor.companyId),
    tx.rows(readSiret, [row.debtor_id]),
    readListedActions(tx, recovery),
  ])
  const siret = debtor?.siret ?? null
  return {
    id: newId(),
    madeAt: now,
    language: company.language,
    zone: company.time_zone,
    isSandbox: file.environment === 'sandbox',
    creditor: file.creditor,
    debtor: {
      name: file.name,
      address: file.address,
      postalCode: file.postal_code,
      city: file.city,
      country: file.country,
      siret: siret !== null && hasValidCheckDigit(siret) ? siret : null,
    },
    invoice: {
      number: row.number,
      issueDate: row.issue_date,
      dueDate: row.due_date,
      currency: row.currency,
      amountCents: row.amount_cents,
      paidCents: row.paid_cents,
      creditedCents: row.credited_cents,
      writtenOffCents: balanceOf(factsOf(row)).balance,
    },
    basis,
    note,
    liquidationOpenedOn: file.insolvency_kind === 'liquidation' ? file.insolvency_opened_on : null,
    ...listed,
    chain: { length: agenda?.chain_length ?? 0, head: agenda?.chain_head?.toString('hex') ?? null },
  }
}
