import type { ReplyContent } from './callback.ts'

const subjectMax = 200
const textMax = 20_000
const nameMax = 200
const fromMax = 320
const attachmentsMax = 20
/** Enough for the text of any person; what is longer is not looked at. */
const readMax = 200_000

// Controls, bidi marks and overrides, and characters that nobody sees: a text must not read other than it is.
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is what this is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

const cleanText = (text: string): string =>
  text
    .slice(0, readMax)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(unseen, '')
    .toWellFormed()
    .normalize('NFC')

/** A pair of surrogates is not cut in two. */
const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

const cleanLine = (text: string, max: number): string =>
  cut(
    cleanText(text.slice(0, readMax))
      .replaceAll(/[\n\t]/g, ' ')
      .trim(),
    max,
  )

const attribution = /^(?:Le|On) .{1,300} (?:a écrit|wrote) ?:$/

/**
 * The text without the message it answers, where that is certain: every line at its end is marked as quoted. An answer between the
 * quoted lines stays, with all of them.
 */
export function withoutQuoted(text: string): string {
  const lines = text.split('\n')
  let end = lines.length
  let isQuoted = false
  for (; end > 0; end--) {
    const line = lines[end - 1]!
    if (line.startsWith('>')) isQuoted = true
    else if (line.trim() !== '') break
  }
  if (!isQuoted) return text
  // Mail programs break a long line in two.
  for (const count of [1, 2]) {
    if (
      !attribution.test(
        lines
          .slice(Math.max(0, end - count), end)
          .join(' ')
          .trim(),
      )
    )
      continue
    end -= count
    break
  }
  const own = lines.slice(0, end).join('\n').trim()
  return own === '' ? text : own
}

interface Received {
  from?: { name?: string | undefined; address?: string | undefined } | undefined
  subject?: string | undefined
  text?: string | undefined
  attachments?: readonly { name: string; type: string; bytes: number }[]
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** What a person wrote, cleaned and within limits. Everything in it is chosen by the sender. */
export function replyContent({ from, subject, text, attachments = [] }: Received): ReplyContent {
  const [name, address] = [cleanLine(from?.name ?? '', 100), cleanLine(from?.address ?? '', nameMax)]
  const sender = name === '' ? address : address === '' ? name : `${name} <${address}>`
  return {
    from: orNull(sender.slice(0, fromMax)),
    subject: orNull(cleanLine(subject ?? '', subjectMax)),
    text: orNull(cut(withoutQuoted(cleanText(text ?? '')).trim(), textMax)),
    attachments: attachments.slice(0, attachmentsMax).map(one => ({
      name: cleanLine(one.name, nameMax),
      type: cleanLine(one.type, nameMax),
      bytes: one.bytes,
    })),
  }
}
