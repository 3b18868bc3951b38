import { operation } from '../../../kit/operation.ts'
import { readCompany } from './company-store.ts'
import { Company, toCompany } from './schema.ts'

export const getCompany = operation({
  id: 'company.get',
  method: 'GET',
  path: '/api/v1/company',
  summary: 'Read the company and its settings in this environment',
  scopes: ['workflow:read'],
  status: 200,
  reply: Company,
  errors: [],
  assistant: 'read',
  async run({ tx, actor }) {
    const [row] = await tx.rows(readCompany, [actor.companyId, actor.tenantId])
    return toCompany(tx, row!, actor)
  },
})
