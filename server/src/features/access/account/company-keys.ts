import type { Environment } from '../../../kit/actor.ts'
import { ApiError } from '../../../kit/errors.ts'
import { field } from '../../../kit/http/form.ts'
import { WithWarnings } from '../../../kit/operation.ts'
import { createKey } from '../api-keys/create-key.ts'
import { deleteKey } from '../api-keys/delete-key.ts'
import { environments } from '../api-keys/schema.ts'
import { performAsPerson } from '../people/act-as-person.ts'
import type { SignedInVisit } from '../people/visit.ts'
import { scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import { companyAction, fieldFaults, sendCompanyPage } from './company.ts'
import { mayUseKeys } from './company-facts.ts'

function postedEnvironment({ form }: SignedInVisit): Environment {
  const found = environments.find(environment => environment === field(form, 'environment'))
  if (!found) throw new ApiError('VAL_001', 'There is no such environment.')
  return found
}

/** The key is only in this response, so there is no redirect. */
export const postCreateKey = companyAction({
  isFor: mayUseKeys,
  needsFreshSignIn: true,
  async run(visit, membership) {
    const { form } = visit
    const readable = scopesOfRole(membership.role, scopes).filter(scope => scope.endsWith(':read'))
    const body = {
      name: field(form, 'name').trim(),
      ...(field(form, 'access') !== 'all' && { scopes: readable }),
    }
    const made = await performAsPerson(visit, membership, postedEnvironment(visit), createKey, { body })
    const { apiKey } = (made instanceof WithWarnings ? made.data : made) as { apiKey: string }
    return sendCompanyPage(visit, membership.companyId, { newKey: apiKey })
  },
  faults: error =>
    error.code === 'RES_003'
      ? [{ field: 'keys', because: 'keys_full' }]
      : (fieldFaults(error, {})?.map(fault => ({ ...fault, field: 'key-name' })) ?? null),
  typed: ({ form }) => ({
    'key-name': field(form, 'name'),
    environment: field(form, 'environment'),
    access: field(form, 'access'),
  }),
})

/** Needs no recent sign-in, so that a leaked key can be deleted without delay. */
export const postDeleteKey = companyAction({
  isFor: mayUseKeys,
  needsFreshSignIn: false,
  async run(visit, membership) {
    const params = { id: field(visit.form, 'key') }
    await performAsPerson(visit, membership, postedEnvironment(visit), deleteKey, { params })
    return 'key_deleted'
  },
  faults: ({ code }) =>
    code === 'RES_001'
      ? [{ field: 'keys', because: 'gone' }]
      : code === 'AUTH_004'
        ? [{ field: 'keys', because: 'key_beyond_role' }]
        : null,
})
