import { sql } from '../../../kit/db/statement.ts'
import type { OwnTexts } from '../messages/compose/texts/message-content.ts'

export interface OwnTextsRow extends OwnTexts {
  step: string
  channel: string
  language: string
  updated_at: number
}

export const ownTextsColumns = 'step, channel, language, subject, opening, updated_at'

export const selectOwnTexts = sql(
  'templates.get',
  `select ${ownTextsColumns} from company_texts where step = $1 and channel = $2 and language = $3`,
).as<OwnTextsRow>()
