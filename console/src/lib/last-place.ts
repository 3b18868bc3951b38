import type { CompanyOfMe, Environment } from './api.ts'

const key = 'relance.place'

const isOpen = (company: CompanyOfMe, environment: string | undefined): environment is Environment =>
  (environment === 'production' || environment === 'sandbox') && company.environments[environment].isOpen

/** The last place of the user if they still have access, otherwise their first company. Null if they have no company. */
export function firstPlace(
  companies: readonly CompanyOfMe[],
  last: string | null,
): { company: string; environment: Environment } | null {
  const [id, environment] = (last ?? '').split('/')
  const known = companies.find(company => company.id === id)
  const company = known ?? companies[0]
  if (!company) return null
  if (known && isOpen(known, environment)) return { company: known.id, environment }
  return { company: company.id, environment: isOpen(company, 'production') ? 'production' : 'sandbox' }
}

export const readLastPlace = (): string | null => localStorage.getItem(key)

export const keepLastPlace = (company: string, environment: Environment): void =>
  localStorage.setItem(key, `${company}/${environment}`)
