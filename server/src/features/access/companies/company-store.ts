import { sql } from '../../../kit/db/statement.ts'
import type { CompanyRow } from './settings.ts'

export const findCell = sql('companies.get-cell', 'select cell from installation')

export const readCompany = sql(
  'companies.get-settings',
  `select c.name, c.country, c.time_zone, c.language, c.currency, c.tier, c.default_debtor_type, c.mandate_signed_on is not null as has_mandate,
          exists (select from company_logos g where g.tenant_id = $2) as has_logo,
          (select to_jsonb(s) - 'updated_at' || jsonb_build_object('updated_at', floor(extract(epoch from s.updated_at) * 1000))
             from company_settings s where s.tenant_id = $2) as settings,
          coalesce((select jsonb_agg(jsonb_build_object('field', p.field, 'value', p.value, 'requestedBy', p.requested_by,
                      'requestedAt', floor(extract(epoch from p.requested_at) * 1000),
                      'effectiveAt', floor(extract(epoch from p.effective_at) * 1000)) order by p.field)
             from payout_changes p where p.tenant_id = $2), '[]') as pending,
          (select jsonb_build_object('since', floor(extract(epoch from o.since) * 1000), 'reason', o.reason, 'by', o.stopped_by)
             from stops o where o.target = $2::text and o.kind = 'by_company' and o.ended_at is null) as own_stop
     from companies c where c.id = $1`,
).as<CompanyRow>()
