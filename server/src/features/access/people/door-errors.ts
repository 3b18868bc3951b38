import { defineError } from '../../../kit/errors.ts'

const aboutHeader = (field: string, code: string, message: string, detail: string) => ({
  message,
  extras: { details: [{ field, code, message: detail }] },
})

export const notSignedIn = defineError(
  'AUTH_001',
  () => 'Sign in first: at /console the cookie of a session is read, and neither a key nor a token.',
)
export const sessionEnded = defineError('AUTH_002', () => 'This session has ended; sign in again.')

export const foreignPage = defineError('AUTH_004', () =>
  aboutHeader(
    'Origin',
    'foreign_page',
    'This request did not come from a page of ours; programs use a key or a token, without /console.',
    'must be our own',
  ),
)
export const wrongCsrf = defineError('AUTH_004', () =>
  aboutHeader(
    'X-Csrf-Token',
    'csrf',
    'X-Csrf-Token is not that of this session; read csrf from GET /console/me, and repeat the request.',
    'must be the csrf of this session',
  ),
)
export const noSuchMembership = defineError('AUTH_004', () =>
  aboutHeader(
    'X-Company-Id',
    'not_a_member',
    'You belong to no such company; GET /console/me lists yours.',
    'must be a company of yours',
  ),
)
export const companyMissing = defineError('VAL_003', () =>
  aboutHeader(
    'X-Company-Id',
    'missing',
    'Say with X-Company-Id which of your companies this is about; GET /console/me lists them.',
    'is required',
  ),
)
export const environmentMissing = defineError('VAL_003', () =>
  aboutHeader(
    'X-Environment',
    'missing',
    'Say with X-Environment whether this is about production or the sandbox.',
    'is required',
  ),
)
export const environmentMalformed = defineError('VAL_004', () =>
  aboutHeader(
    'X-Environment',
    'invalid',
    'X-Environment must be production or sandbox.',
    'must be production or sandbox',
  ),
)
