import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { findReachableRecovery, NextAction, toNextAction } from './schema.ts'

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
  async run({ tx, params }) {
    const recovery = await findReachableRecovery(tx, params.invoiceId)
    if (!recovery) throw invoiceNotFound.make()
    return toNextAction(recovery)
  },
})
