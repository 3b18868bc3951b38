import { z } from 'zod'
import { judgeLogo, logoBytesMax } from '../../../domain/logo-image.ts'
import { newEvent } from '../../../kit/events.ts'
import { type Call, operation, type Warning, WithWarnings } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { companyChanged, payoutApplied, payoutRequested, payoutWithdrawn } from './audit-events.ts'
import { lockSettings } from './lock-settings.ts'
import { saveLogo } from './logo-store.ts'
import { changePayout } from './payout-changes.ts'
import { payoutRule } from './payout-fields.ts'
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

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

const waits: Warning = {
  code: 'change_waits',
  message:
    'The logo applies in 24 hours, or when a second owner confirms it; pendingChanges of the company shows it.',
}

/** Returns whether the change waits. */
async function changeLogo(call: Call<unknown, unknown, unknown>, value: string | null): Promise<boolean> {
  const { tx, actor, now } = call
  if (actor.environment === 'sandbox') {
    saveLogo(tx, value, now)
    recordAudit(tx, [newEvent(companyChanged, actor.companyId, { changed: ['logo'] })], call)
    return false
  }
  const row = await lockSettings(tx, actor, now)
  const { pending } = await changePayout(call, row, { logo: value })
  return pending.some(({ field }) => field === 'logo')
}

export const setLogo = operation({
  id: 'company.setLogo',
  method: 'PUT',
  path: '/api/v1/company/logo',
  summary: 'Set the logo that debtors see in emails, letters and on their page',
  description:
    'The format is detected from the content, not from a declared type. In production an owner sets it, soon after signing in; once debtors could pay, it waits 24 hours unless a second owner confirms it.',
  scopes: ['company:manage'],
  inProduction: payoutRule,
  body: Logo,
  status: 200,
  reply: LogoReply,
  errors: [],
  assistant: 'never',
  audit: [companyChanged, payoutApplied, payoutRequested, payoutWithdrawn],
  example: { body: { image: onePixel } },
  async run(call) {
    const { body } = call
    const verdict = judgeLogo(body.image)
    if (!verdict.allowed) throw new Error('a logo that was validated is refused')
    const { type: mediaType, width, height } = verdict
    const reply = { mediaType, width, height }
    return (await changeLogo(call, body.image.toString('base64'))) ? new WithWarnings(reply, [waits]) : reply
  },
})

export const removeLogo = operation({
  id: 'company.deleteLogo',
  method: 'DELETE',
  path: '/api/v1/company/logo',
  summary: 'Remove the logo; again: nothing changes',
  scopes: ['company:manage'],
  inProduction: payoutRule,
  status: 204,
  reply: z.null(),
  errors: [],
  assistant: 'never',
  audit: [companyChanged, payoutApplied, payoutRequested, payoutWithdrawn],
  async run(call) {
    await changeLogo(call, null)
    return null
  },
})
