import type { TimelineEntry } from '@relance/sdk'
import { type Language, wordsIn } from './language.tsx'
import { nameOf, names } from './names.ts'

/** A formal notice is one by email too: its name does not depend on the channel. */
const formalNotice = 'lrar_mise_en_demeure'

/**
 * The name of an executed step. A step that the message of another invoice carried has the name of what was sent, and says with
 * which invoice.
 */
export function messageNameOf(
  { action, channel, params }: Pick<TimelineEntry, 'action' | 'channel' | 'params'>,
  language: Language,
  otherwise = '',
): string {
  const known = wordsIn(names, language)
  const { groupedWith, insteadOf } = params
  const isOtherChannel = insteadOf !== undefined && channel !== null && action !== formalNotice
  const name = isOtherChannel ? known.channels[channel] : nameOf(known.steps, action ?? '', otherwise)
  return typeof groupedWith === 'string' && name !== '' ? known.withInvoice(name, groupedWith) : name
}
