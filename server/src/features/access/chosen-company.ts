import { ApiError } from '../../kit/errors.ts'

export const companyHeader = 'X-Company-Id'

/** The company that a request names; null if it names none. */
export type ChosenCompany = string | 'malformed' | null

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function chosenCompany(headers: Record<string, string | string[] | undefined>): ChosenCompany {
  const given = headers['x-company-id']
  if (given === undefined) return null
  return typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : 'malformed'
}

export const malformedCompany = () =>
  new ApiError('VAL_004', `${companyHeader} must be the UUID of one company.`, {
    details: [{ field: companyHeader, code: 'invalid', message: 'must be a UUID' }],
  })
