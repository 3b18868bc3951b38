import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { findRecovery, toWorkflow, Workflow } from './schema.ts'

export const getWorkflow = operation({
  id: 'workflow.get',
  method: 'GET',
  path: '/api/v1/workflow/invoice/:invoiceId',
  summary: 'Read where the recovery of an invoice stands',
  scopes: ['workflow:read'],
  params: z.strictObject({ invoiceId: uuid }),
  status: 200,
  reply: Workflow,
  errors: [invoiceNotFound],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, params } = call
    const recovery = await findRecovery(tx, actor.tenantId, params.invoiceId, () => call.now)
    if (!recovery) throw invoiceNotFound.make()
    return toWorkflow(recovery)
  },
})
