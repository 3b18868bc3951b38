import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { templateChanged } from './audit-events.ts'
import { checkTexts, ownFields, templateInPath } from './check-texts.ts'
import { templateNotFound } from './errors.ts'
import { findTemplate, Template, toTemplate } from './schema.ts'
import { type OwnTextsRow, ownTextsColumns, selectOwnTexts } from './store.ts'

const OwnTextsInput = z
  .strictObject(ownFields)
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'OwnWords', description: 'Only the fields sent change; null brings our words back' })

// A field that was not sent stays as it is, also if two requests change different fields at once.
const upsertOwnTexts = sql(
  'templates.save',
  `insert into company_texts as w (tenant_id, step, channel, language, subject, opening, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6)
   on conflict (tenant_id, step, channel, language) do update
     set subject = case when $7 then $4 else w.subject end, opening = case when $8 then $5 else w.opening end, updated_at = $6
   returning ${ownTextsColumns}`,
).as<OwnTextsRow>()
const deleteEmptyOwnTexts = sql(
  'templates.delete-empty',
  `delete from company_texts where step = $1 and channel = $2 and language = $3 and subject is null and opening is null`,
)
const deleteOwnTexts = sql(
  'templates.delete',
  'delete from company_texts where step = $1 and channel = $2 and language = $3',
)

export const updateTemplate = operation({
  id: 'templates.update',
  method: 'PUT',
  path: '/api/v1/templates/:id',
  summary: 'Put words of your own in place of the subject or the opening of a message',
  description:
    'They hold from the next message on. Everything else stays: who writes, the sums, the link, how to dispute, what happens to data. Threats, courts, added sums, links and bank accounts are refused.',
  scopes: ['texts:manage'],
  params: templateInPath,
  body: OwnTextsInput,
  status: 200,
  reply: Template,
  errors: [templateNotFound],
  assistant: 'never',
  audit: [templateChanged],
  example: {
    body: {
      subject: 'petit rappel, facture {{reference}}',
      opening: 'Bonjour, la facture {{reference}} de {{creditor}} attend depuis le {{dueDate}}.',
    },
  },
  async run(call) {
    const { tx, now, params, body } = call
    const template = findTemplate(params.id)
    if (!template) throw templateNotFound.make()
    checkTexts(template, body)
    const { step, channel, language } = template
    const [[before], [row]] = await Promise.all([
      tx.rows(selectOwnTexts, [step, channel, language]),
      tx.rows(upsertOwnTexts, [
        step,
        channel,
        language,
        body.subject ?? null,
        body.opening ?? null,
        iso(now),
        body.subject !== undefined,
        body.opening !== undefined,
      ]),
    ])
    recordChange(call, params.id, before, row)
    const isOwn = row!.subject !== null || row!.opening !== null
    if (!isOwn) tx.atCommit(deleteEmptyOwnTexts, [step, channel, language])
    return toTemplate(template, isOwn ? row : undefined)
  },
})

export const resetTemplate = operation({
  id: 'templates.reset',
  method: 'DELETE',
  path: '/api/v1/templates/:id',
  summary: 'Bring our words back into a message',
  scopes: ['texts:manage'],
  params: templateInPath,
  status: 204,
  reply: z.null(),
  errors: [templateNotFound],
  assistant: 'never',
  audit: [templateChanged],
  async run(call) {
    const { tx, params } = call
    const template = findTemplate(params.id)
    if (!template) throw templateNotFound.make()
    const { step, channel, language } = template
    const [before] = await tx.rows(selectOwnTexts, [step, channel, language])
    tx.atCommit(deleteOwnTexts, [step, channel, language])
    recordChange(call, params.id, before, undefined)
    return null
  },
})

const wordsOf = (row: OwnTextsRow | undefined) => ({
  subject: row?.subject ?? null,
  opening: row?.opening ?? null,
})

function recordChange(
  call: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'>,
  templateId: string,
  before: OwnTextsRow | undefined,
  after: OwnTextsRow | undefined,
): void {
  const data = { templateId, before: wordsOf(before), after: wordsOf(after) }
  recordAudit(call.tx, [newEvent(templateChanged, templateId, data)], call)
}
