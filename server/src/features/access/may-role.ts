import type { Access } from '../../kit/actor.ts'
import { mayDo } from '../../kit/may-do.ts'
import { type Role, scopesOfRole } from './roles.ts'
import { scopes } from './scopes.ts'

/** Whether a signed-in person in this role may do this in production, once their sign-in is fresh: for lists and pages. */
export const mayRole = (role: Role, access: Access): boolean =>
  mayDo(access, { kind: 'person', environment: 'production', scopes: scopesOfRole(role, scopes), role }, null)
    .allowed
