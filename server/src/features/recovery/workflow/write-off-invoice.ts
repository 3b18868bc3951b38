import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { mayWriteOff } from '../../../domain/money/write-off.ts'
import { recoveryAfter } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, note, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { loadPen } from '../../../kit/pdf/tagged-sheet.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { about, type Case, changeFacts, openCase, type World } from '../case/case.ts'
import { endRecovery, type InFlight } from '../case/change.ts'
import { anrBases, anrCreated } from '../case/events.ts'
import { addActions } from '../case/history.ts'
import { inFlightMessages } from '../case/in-flight.ts'
import { invoiceAlreadyPaid, invoiceIsClosed, invoiceNotFound } from '../case/invoice-errors.ts'
import type { AnrBasis } from './attestation/attestation.ts'
import { drawAttestation } from './attestation/draw.ts'
import { readAttestation } from './attestation/read-attestation.ts'
import { storeAnr } from './attestation/store.ts'

const WriteOffInput = z
  .strictObject({
    basis: z.enum(anrBases).meta({ description: 'Why the debt is given up' }),
    note: optional(note(2_000)).meta({ description: 'Printed in the attestation as your own words' }),
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
  })
  .meta({ id: 'WriteOff' })

/** As the history says it. */
const basisInWords: Record<AnrBasis, string> = {
  amicable_failed: 'amicable recovery failed',
  liquidation: 'the debtor is in liquidation',
  untraceable: 'the debtor cannot be traced',
  enforcement_failed: 'enforcement failed',
  time_barred: 'the debt is time-barred',
}

export const writeOffInvoice = operation({
  id: 'invoices.writeOff',
  method: 'POST',
  path: '/api/v1/invoices/:id/write-off',
  summary: 'Give an open invoice up: nothing more is sent, and an attestation of non-recovery is made',
  description:
    'Final. The recovery ends in the same transaction, and the attestation is there to download when you read 201.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: WriteOffInput,
  status: 201,
  reply: WriteOff,
  errors: [invoiceNotFound, invoiceAlreadyPaid, invoiceIsClosed],
  assistant: 'confirm',
  example: { body: { basis: 'amicable_failed', note: 'No answer since September.' } },
  async run(call) {
    const { tx, actor, params, body, now } = call
    await loadPen()
    const of = await openCase(tx, actor.tenantId, params.id)
    if (!of) throw invoiceNotFound.make()
    const previousStatus = of.row.invoice_status
    const verdict = mayWriteOff(previousStatus)
    if (!verdict.allowed)
      throw verdict.because === 'paid'
        ? invoiceAlreadyPaid.make('; there is nothing left to write off')
        : invoiceIsClosed.make(verdict.because)

    const attestation = await readAttestation(call, of, body.basis, body.note || null)
    const pdf = await drawAttestation(attestation)
    const sha256 = plainSha256(pdf)
    const { id: anrId, basis, note } = attestation
    const createdAt = iso(now)

    const newStatus = changeFacts(call, of, { written_off_at: now }, 'write_off')
    addActions(tx, [
      {
        id: call.newId(),
        invoiceId: of.row.invoice_id,
        action: 'write_off',
        channel: null,
        status: 'done',
        details: `Written off: ${basisInWords[basis]}.`,
        communicationId: null,
        at: now,
      },
    ])
    const inFlight = await endIfStarted(call, of)
    storeAnr(tx, { id: anrId, invoiceId: of.row.invoice_id, basis, note, pdf, sha256, createdAt })
    const told = newEvent(anrCreated, of.row.invoice_id, { ...about(of), anrId, basis, createdAt })
    recordEvents(tx, [told], call)

    return {
      anrId,
      invoiceId: of.row.invoice_id,
      basis,
      note,
      writtenOffCents: attestation.invoice.writtenOffCents,
      createdAt,
      sha256: sha256.toString('hex'),
      previousStatus,
      newStatus,
      inFlight,
    }
  },
})

/** A recovery that never began has nothing to end: it stays as it is. */
async function endIfStarted(world: World, of: Case): Promise<InFlight[]> {
  const { status, invoice_status } = of.row
  if (status === 'completed' || recoveryAfter(status, invoice_status, 'written_off') !== 'completed')
    return []
  return (await endRecovery(world, of, 'completed', 'written_off')).inFlight
}
