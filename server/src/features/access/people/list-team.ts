import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import type { Role } from '../roles.ts'
import { membersMax, ofCompany } from './members.ts'
import { roleField } from './schema.ts'

const readTeam = sql(
  'people.list-team',
  `select p.id, p.name, m.role from memberships m join people p on p.id = m.person_id
    where m.${ofCompany} order by m.created_at, m.person_id limit ${membersMax}`,
).as<{ id: string; name: string; role: Role }>()

export const listTeam = operation({
  id: 'team.list',
  method: 'GET',
  path: '/api/v1/team',
  summary: 'The people of the company: name and role, to tell who did what',
  description: `In the order they joined, ${membersMax} at most. Their addresses, and who is invited, are in GET /api/v1/members.`,
  scopes: ['workflow:read'],
  status: 200,
  reply: z
    .object({
      people: z.array(
        z
          .object({ id: outputUuid, name: z.string(), role: roleField })
          .meta({ id: 'TeamMember', description: 'A person of the company, without an address' }),
      ),
    })
    .meta({ id: 'Team', description: 'People have a role in the company, whatever the environment' }),
  errors: [],
  assistant: 'read',
  run: async ({ tx }) => ({ people: await tx.rows(readTeam, []) }),
})
