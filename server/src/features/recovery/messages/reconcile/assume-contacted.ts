import type { Channel } from '../../../../domain/contact/channel.ts'
import { isAnswer } from '../../../../domain/recovery/cascade.ts'
import { channelToSend } from '../../../../domain/recovery/waiting.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../../kit/each-tenant.ts'
import { contactFile, lookContextOf } from '../../case/debtor-file.ts'
import { lockAndLoadDebtor } from '../../case/debtor-file-store.ts'
import { selectWaitingExtras, selectWaitingRecoveries, waitingRecoveryOf } from '../../case/recovery-store.ts'
import { missingChannelsOf } from '../worker-context.ts'
import { recordLostContact } from './lost-contact.ts'
import type { Reconciling } from './reconciliation.ts'

export interface DueDebtor {
  tenant_id: string
  debtor_id: string
}
/** Of these debtors, those who were due on a channel whose provider cannot be asked count as contacted. */
export async function assumeAllContacted(
  reconciling: Reconciling,
  blind: ReadonlyMap<Channel, string>,
  debtors: readonly DueDebtor[],
): Promise<void> {
  const { worker, since, leaveOut } = reconciling
  const loop = {
    idsOf: ({ tenant_id, debtor_id }: DueDebtor) => ({ tenantId: tenant_id, debtorId: debtor_id }),
    failure: 'a debtor could not be reconciled',
  }
  const { failed } = await forEachTenant(worker.log, debtors, loop, debtor =>
    suspect(reconciling, blind, debtor),
  )
  for (const { tenant_id: tenantId, debtor_id: debtorId } of failed) {
    const [[channel, provider]] = [...blind] as [[Channel, string]]
    const nobody = { recipient: null, providerId: null }
    leaveOut({ because: 'failed', channel, provider, at: since, tenantId, debtorId, ...nobody })
  }
}

async function suspect(
  { worker, since, until, report, leaveOut }: Reconciling,
  blind: ReadonlyMap<Channel, string>,
  { tenant_id: tenantId, debtor_id: debtorId }: DueDebtor,
): Promise<void> {
  const channel = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...lockAndLoadDebtor(tenantId, debtorId),
      [selectWaitingRecoveries, [debtorId]],
      [selectWaitingExtras, [debtorId]],
    ],
    async ({ openingRows, offsetMs }): Promise<Channel | null> => {
      const [[agenda], [file], waiting, extras] = openingRows
      if (!agenda || !file) return null
      const now = until + offsetMs
      const missing = missingChannelsOf(worker.channelsFor({ id: tenantId, environment: file.environment }))
      const reachable = { ...file, missing }
      const context = lookContextOf(reachable, contactFile(file, agenda), now)
      const isDue = ({ due_at }: { due_at: number | null }) => due_at !== null && due_at <= now
      const candidates = [
        ...waiting
          .filter(isDue)
          .map(recovery => channelToSend(waitingRecoveryOf(recovery, reachable), context)),
        ...extras.filter(isDue).flatMap(extra => (isAnswer(extra.step) ? [] : extra.channel)),
      ]
      return candidates.find(candidate => candidate !== null && blind.has(candidate)) ?? null
    },
  )
  if (channel === null) return
  const provider = blind.get(channel)!
  // It may have been sent at the very end, so the days until the next contact are counted from then.
  const contact = { key: `suspected ${since}`, channel, at: until, provider, providerId: null }
  if (await recordLostContact(worker, { tenantId, debtorId }, contact)) report.suspected++
  const nobody = { recipient: null, providerId: null }
  leaveOut({ because: 'cannot_be_asked', channel, provider, at: until, tenantId, debtorId, ...nobody })
}
