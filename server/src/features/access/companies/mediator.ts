/** The mediator that a company names to consumers: L616-1 and R616-1 C. conso. It has a website. */
export interface Mediator {
  name: string
  address: string | null
  website: string
}

/** From the settings `s` of a company. */
export const mediatorSql = `case when s.mediator_name is not null then jsonb_build_object('name', s.mediator_name,
              'address', s.mediator_address, 'website', s.mediator_website) end`
