import { z } from 'zod'
import { judgeLogo, logoBytesMax } from '../../../domain/logo-image.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { companyChanged } from './audit-events.ts'
import { isDrawablePng } from './whole-png.ts'

const base64 = z.base64()

const Logo = z.strictObject({
  image: z
    .string()
    .max(Math.ceil(logoBytesMax / 3) * 4, 'is larger than 200 KB')
    .refine(text => base64.safeParse(text).success, 'is not base64')
    .transform(text => Buffer.from(text, 'base64'))
    .superRefine((bytes, context) => {
      const verdict = judgeLogo(bytes)
      if (!verdict.allowed) context.addIssue({ code: 'custom', message: verdict.because })
      else if (verdict.type === 'image/png' && !isDrawablePng(bytes))
        context.addIssue({ code: 'custom', message: 'cannot be drawn: save it with 8 bits, not interlaced' })
    })
    .meta({ description: 'PNG or JPEG, 200 KB and 2000 pixels a side at most, in base64' }),
})

const LogoReply = z
  .object({ mediaType: z.enum(['image/png', 'image/jpeg']), width: z.int(), height: z.int() })
  .meta({ id: 'CompanyLogo' })

const upsertLogo = sql(
  'companies.upsert-logo',
  `insert into company_logos (tenant_id, media_type, bytes, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3)
   on conflict (tenant_id) do update set media_type = excluded.media_type, bytes = excluded.bytes, updated_at = excluded.updated_at`,
)
const deleteLogo = sql(
  'companies.delete-logo',
  `delete from company_logos where tenant_id = current_setting('relance.tenant')::uuid`,
)

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

export const setLogo = operation({
  id: 'company.setLogo',
  method: 'PUT',
  path: '/api/v1/company/logo',
  summary: 'Set the logo that debtors see in emails, letters and on their page',
  description: 'The format is detected from the content, not from a declared type.',
  scopes: ['webhooks:manage'],
  people: ['owner'],
  body: Logo,
  status: 200,
  reply: LogoReply,
  errors: [],
  assistant: 'never',
  audit: [companyChanged],
  example: { body: { image: onePixel } },
  async run(call) {
    const { tx, actor, now, body } = call
    const verdict = judgeLogo(body.image)
    if (!verdict.allowed) throw new Error('a logo that was validated is refused')
    const { type: mediaType, width, height } = verdict
    tx.atCommit(upsertLogo, [mediaType, body.image, iso(now)])
    recordAudit(tx, [newEvent(companyChanged, actor.companyId, { changed: ['logo'] })], call)
    return { mediaType, width, height }
  },
})

export const removeLogo = operation({
  id: 'company.deleteLogo',
  method: 'DELETE',
  path: '/api/v1/company/logo',
  summary: 'Remove the logo; again: nothing changes',
  scopes: ['webhooks:manage'],
  people: ['owner'],
  status: 204,
  reply: z.null(),
  errors: [],
  assistant: 'never',
  audit: [companyChanged],
  async run(call) {
    const { tx, actor } = call
    tx.atCommit(deleteLogo, [])
    recordAudit(tx, [newEvent(companyChanged, actor.companyId, { changed: ['logo'] })], call)
    return null
  },
})
