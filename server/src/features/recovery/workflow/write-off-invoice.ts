import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { mayWriteOff } from '../../../domain/money/write-off.ts'
import { recoveryStatusAfter } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, note, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { loadPdfKit } from '../../../kit/pdf/tagged-sheet.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { endRecovery } from '../case/change-recovery.ts'
import { invoiceAlreadyPaid, invoiceIsClosed, invoiceNotFound } from '../case/errors.ts'
import { anrBases, anrCreated } from '../case/events.ts'
import { addActions } from '../case/history.ts'
import {
  changeInvoiceFacts,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  openRecovery,
} from '../case/open-recovery.ts'
import { inFlightMessages } from '../case/schema.ts'
import type { InFlight } from '../case/stop-messages.ts'
import { drawAttestation } from './attestation/draw-attestation.ts'
import { readAttestation } from './attestation/read-attestation.ts'
import { storeAnr } from './attestation/store.ts'
import { invoiceWrittenOff } from './audit-events.ts'
import { ofDryRun } from './plan-schema.ts'
import { dryRun, withPlans } from './rehearse.ts'

const WriteOffInput = z
  .strictObject({
    basis: z.enum(anrBases).meta({ description: 'Why the debt is irrecoverable' }),
    note: optional(note(2_000)).meta({ description: 'Printed in the attestation as your own words' }),
    dryRun,
  })
  .meta({ id: 'WriteOffInput' })

const WriteOff = z
  .object({
    anrId: outputUuid.meta({ description: 'The number of the attestation' }),
    invoiceId: outputUuid,
    basis: z.enum(anrBases),
    note: z.string().nullable(),
    writtenOffCents: z.int().meta({ description: 'What was still owed' }),
    createdAt: dateTime,
    sha256: z.string().meta({ description: 'Of the document, in hexadecimal digits' }),
    previousStatus: z.enum(invoiceStatuses),
    newStatus: z.enum(invoiceStatuses),
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'WriteOff' })

const basisDeclared = {
  code: 'basis_declared',
  message:
    'The records do not show this basis: the attestation gives it as the creditor’s declaration. They show amicable_failed by a message or call, liquidation by the recorded proceedings, time_barred by the dates.',
}

export const writeOffInvoice = operation({
  id: 'invoices.writeOff',
  method: 'POST',
  path: '/api/v1/invoices/:id/write-off',
  summary: 'Write off an open invoice: nothing more is sent, and an attestation of non-recovery is made',
  description:
    'Final. The recovery ends in the same transaction, and the attestation is there to download when you read 201.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: WriteOffInput,
  status: 201,
  reply: WriteOff,
  errors: [invoiceNotFound, invoiceAlreadyPaid, invoiceIsClosed],
  assistant: 'confirm',
  audit: [invoiceWrittenOff],
  example: { body: { basis: 'amicable_failed', note: 'No answer since September.' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, actor, params, body, now } = call
    await loadPdfKit()
    const recovery = await openRecovery(call, params.id)
    if (!recovery) throw invoiceNotFound.make()
    const previousStatus = recovery.row.invoice_status
    const verdict = mayWriteOff(previousStatus)
    if (!verdict.allowed)
      throw verdict.because === 'paid'
        ? invoiceAlreadyPaid.make('; there is nothing left to write off')
        : invoiceIsClosed.make(verdict.because)

    const attestation = await readAttestation(call, recovery, body.basis, body.note || null)
    const pdf = await drawAttestation(attestation)
    const sha256 = plainSha256(pdf)
    const { id: anrId, basis, note } = attestation
    const createdAt = iso(now)

    const newStatus = changeInvoiceFacts(call, recovery, { written_off_at: now }, 'write_off')
    addActions(tx, [
      {
        id: call.newId(),
        invoiceId: recovery.row.invoice_id,
        action: 'write_off',
        channel: null,
        status: 'done',
        code: 'written_off',
        params: { basis },
        debtorId: recovery.row.debtor_id,
        actor,
        communicationId: null,
        at: now,
      },
    ])
    const inFlight = await endIfStarted(call, recovery)
    storeAnr(tx, { id: anrId, invoiceId: recovery.row.invoice_id, basis, note, pdf, sha256, createdAt })
    const event = newEvent(anrCreated, recovery.row.invoice_id, {
      ...invoiceEventData(recovery),
      anrId,
      basis,
      createdAt,
    })
    recordEvents(tx, [event], call)
    const about = { invoiceId: recovery.row.invoice_id, anrId, basis }
    recordAudit(tx, [newEvent(invoiceWrittenOff, about.invoiceId, about)], call)

    const writtenOff = {
      anrId,
      invoiceId: recovery.row.invoice_id,
      basis,
      note,
      writtenOffCents: attestation.invoice.writtenOffCents,
      createdAt,
      sha256: sha256.toString('hex'),
      previousStatus,
      newStatus,
      inFlight,
    }
    return attestation.isBasisOnRecord ? writtenOff : new WithWarnings(writtenOff, [basisDeclared])
  },
})

/** A recovery that was never started is not changed. */
async function endIfStarted(context: OperationContext, recovery: OpenRecovery): Promise<InFlight[]> {
  const { status, invoice_status } = recovery.row
  if (status === 'completed' || recoveryStatusAfter(status, invoice_status, 'written_off') !== 'completed')
    return []
  return (await endRecovery(context, recovery, 'completed', 'written_off')).inFlight
}
