import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { findRecovery, NextAction, toNextAction } from './schema.ts'

export const getNextAction = operation({
  id: 'workflow.nextAction',
  method: 'GET',
  path: '/api/v1/workflow/invoice/:invoiceId/next-action',
  summary: 'Read the next planned action of a recovery and why it is planned for then',
  scopes: ['workflow:read'],
  params: z.strictObject({ invoiceId: uuid }),
  status: 200,
  reply: NextAction,
  errors: [invoiceNotFound],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, params } = call
    const recovery = await findRecovery(tx, actor.tenantId, params.invoiceId, () => call.now)
    if (!recovery) throw invoiceNotFound.make()
    return toNextAction(recovery)
  },
})
