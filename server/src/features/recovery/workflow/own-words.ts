import type { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { RequestedMessage } from '../../../domain/recovery/cascade.ts'
import type { FieldFault } from '../../../kit/errors.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { Call } from '../../../kit/operation.ts'
import { lowestId } from '../../../kit/uuid.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import type { OpenRecovery } from '../case/open-recovery.ts'
import { type WrittenText, wordsOf } from '../case/written-text.ts'
import { selectShownContent } from '../messages/compose/content-store.ts'
import { linkOf } from '../messages/compose/message-code.ts'
import { smsLengthOf, twoSmsLength } from '../messages/compose/texts/gsm.ts'
import { names, unknownPlaceholders, wordFindingsIn } from '../messages/compose/texts/own-texts.ts'
import { writeMessage } from '../messages/compose/write-message.ts'
import type { Finding, ShownMessage } from './message-request-schema.ts'

/*
 * The words of a person in a message to a debtor: what is wrong with them, and the message as the debtor will see it.
 */

/** An amount of money as people type it. */
const typedSum = /(?:€|\beur(?:os?)?)\s?\d|\d\s?(?:€|eur(?:os?)?\b)/i

interface Reader extends Pick<DebtorFile, 'language' | 'type' | 'postal_code'> {
  readonly channel: Channel
}

/** Everything that is wrong with these words for this reader. */
export function findingsIn({ subject, text }: WrittenText, reader: Reader): Finding[] {
  const isConsumer = reader.type === 'consumer'
  const isSms = reader.channel === 'sms'
  // An answer that the link asks for must not be in its message: see the texts of messages.
  const isAskedForNumber = isSms && !/[\p{L}\p{N}]/u.test(reader.postal_code ?? '')
  return (['subject', 'text'] as const).flatMap(field => {
    const words = field === 'subject' ? subject : text
    if (words === null) return []
    // A line break joins no words: each line is a paragraph of its own.
    const onOneLine = words.replaceAll(/\s+/g, ' ')
    const isSeen = isSms || field === 'subject'
    const sum = typedSum.exec(onOneLine)?.[0] ?? (names(words, 'sum') ? '{{sum}}' : null)
    return [
      ...wordFindingsIn(onOneLine, reader.language).map(finding => ({ field, ...finding })),
      ...unknownPlaceholders(words).map(found => ({
        field,
        code: 'unknown_placeholder' as const,
        found,
        message: `holds “${found}”, which nobody could fill in`,
      })),
      ...(isConsumer && isSeen && sum !== null
        ? [
            {
              field,
              code: 'sum_shown' as const,
              found: sum,
              message: 'names a sum, which others could see on the screen of a private person',
            },
          ]
        : []),
      ...(isAskedForNumber && names(words, 'reference')
        ? [
            {
              field,
              code: 'number_shown' as const,
              found: '{{reference}}',
              message: 'names the invoice, whose number the link of this text message asks for',
            },
          ]
        : []),
    ]
  })
}

/** As long as a real code; no page is behind it. */
const sampleCode = 'e1AaBbCcDdEeFfGgHhIi'

/** The message as it would be written at this moment. */
export async function showMessage(
  { tx, publicUrl }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'publicUrl'>,
  { row, file }: OpenRecovery,
  { step, channel, words, at }: { step: RequestedMessage; channel: Channel; words: WrittenText; at: number },
): Promise<z.input<typeof ShownMessage> | null> {
  if (channel === 'voice' || channel === 'lrar') return null
  const [content] = await tx.rows(selectShownContent, [row.invoice_id, row.debtor_id, step, channel])
  if (!content) return null
  const { message } = writeMessage(
    { id: lowestId, step, channel },
    file,
    { ...content, logo: null },
    {
      mailFrom: '',
      receivesReplies: false,
      now: at,
      code: sampleCode,
      link: linkOf(publicUrl, sampleCode),
      words: words.text === null && words.subject === null ? null : wordsOf(words),
    },
  )
  if (message.channel === 'email') {
    const { to, subject, text, html } = message
    return { to: to.address, subject, text, html, parts: null }
  }
  if (message.channel !== 'sms') return null
  return { to: message.to, subject: null, text: message.text, html: null, parts: partsOf(message.text) }
}

const partsOf = (text: string): number => {
  const length = smsLengthOf(text)
  return length <= 160 ? 1 : Math.ceil(length / 153)
}

/** A text message may be two SMS long at most. */
export const tooLong = (shown: z.input<typeof ShownMessage> | null): Finding[] =>
  shown?.parts && smsLengthOf(shown.text) > twoSmsLength
    ? [{ field: 'text', code: 'too_long', found: null, message: 'does not fit into two text messages' }]
    : []

export function refuseFindings(findings: readonly Finding[]): void {
  const [first] = findings
  if (!first) return
  const details: FieldFault[] = findings.map(({ field, code, message }) => ({ field, code, message }))
  throw new ApiError('VAL_001', `${first.field} ${first.message}.`, { details })
}
