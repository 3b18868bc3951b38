import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmailMessage, LetterMessage, SmsMessage, VoiceMessage } from '../../src/adapters/channel.ts'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { oneLine } from '../../src/features/recovery/messages/compose/texts/one-line.ts'
import { printable } from '../../src/kit/pdf/printable.ts'
import { readPdf } from '../harness/pdf-text.ts'
import { corpus, families } from './corpus.ts'
import { debtorEmail, link, mailFrom, messageOf, replyEmail } from './hostile-message.ts'

const harmless = 'Durand'

interface Arrived {
  mail: Email
  recipients: string[]
}
const arrived = new Map<string, Arrived>()
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, session, answer) {
    stream.toArray().then(async chunks => {
      const mail = await PostalMime.parse(Buffer.concat(chunks))
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      const id = mail.headers.find(({ key }) => key === 'x-relance-communication')!.value
      expect(arrived.has(id)).toBe(false)
      arrived.set(id, { mail, recipients })
      answer()
    }, answer)
  },
})
let adapter: ReturnType<typeof smtpEmail>
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  adapter = smtpEmail({ host: '127.0.0.1', port: (server.server.address() as AddressInfo).port })
})
afterAll(async () => {
  await adapter.close()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

async function sendThroughServer(step: string, text: string, id: string): Promise<Arrived> {
  const message = messageOf('email', step, [text], id) as EmailMessage
  const result = await adapter.send(message, { beforeCommit: async () => {} })
  expect(result, JSON.stringify(text)).toMatchObject({ outcome: 'accepted' })
  return arrived.get(id)!
}

/** What a parser makes of it: every tag with its attributes, and nothing of the words between. */
const skeleton = (html: string) => html.match(/<[^>]*>/g)!.map(tag => tag.replaceAll(/\s+/g, ' '))
const headersOf = ({ mail }: Arrived) => mail.headers.map(({ key }) => key).toSorted()
const linesOf = (text: string) => text.split(/\r\n|[\p{Cc}\p{Zl}\p{Zp}]/u).length

test('the corpus is large, and no string is there twice', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(500)
  expect(new Set(corpus).size).toBe(corpus.length)
})

test('the number of an invoice that one sum paid stays words in its receipt', () => {
  const html = (text: string) => (messageOf('email', 'payment_receipt', [text]) as EmailMessage).html!
  const plain = skeleton(html(harmless))
  for (const text of corpus) expect(skeleton(html(text)), JSON.stringify(text)).toEqual(plain)
})

/** One that is ours, and one with the words of a person and a list of invoices. */
const steps = ['lrar_mise_en_demeure', 'account_statement']

test.each(Object.keys(families).flatMap(family => steps.map(step => [family, step] as const)))(
  '%s in every field of an email (%s) stay words, to one person',
  async (family, step) => {
    const plain = arrived.get(step) ?? (await sendThroughServer(step, harmless, step))
    for (const [i, text] of families[family]!.entries()) {
      const label = JSON.stringify(text)
      const { mail, recipients } = await sendThroughServer(step, text, `${step}_${family}_${i}`)
      expect(recipients, label).toEqual([debtorEmail])
      expect(
        mail.to?.map(({ address }) => address),
        label,
      ).toEqual([debtorEmail])
      expect([mail.cc, mail.bcc], label).toEqual([undefined, undefined])
      expect([mail.from?.address, mail.replyTo?.map(({ address }) => address)], label).toEqual([
        mailFrom,
        [replyEmail],
      ])
      expect(headersOf({ mail, recipients }), label).toEqual(headersOf(plain))
      expect(mail.attachments, label).toEqual([])
      expect(mail.subject, label).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      // One page structure: the same tags with the same attributes in the same order, whatever the words are.
      expect(skeleton(mail.html!), label).toEqual(skeleton(plain.mail.html!))
      expect(linesOf(mail.text!), label).toBe(linesOf(plain.mail.text!))
      expect(mail.text, label).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
    }
  },
)

test.each(Object.keys(families))(
  '%s in a text message and a call leave one line, the link and the AI’s word',
  family => {
    for (const text of families[family]!) {
      const label = JSON.stringify(text)
      const sms = messageOf('sms', 'sms_reminder', [text]) as SmsMessage
      expect(sms.text, label).toMatch(
        /^[@£$¥èéùìòÇØøÅåÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà_ΔΦΓΛΩΠΨΣΘΞ^{}\\[~\]|€]*$/,
      )
      expect(sms.text.endsWith(` ${link}`), label).toBe(true)
      expect(sms.from, label).toMatch(/^[A-Za-z0-9]{1,11}$/)
      expect(sms.to, label).toBe('+33612345678')
      const call = messageOf('voice', 'ai_call', [text]) as VoiceMessage
      expect(call.opening.startsWith('Bonjour, je suis une intelligence artificielle'), label).toBe(true)
      expect(linesOf(call.opening), label).toBe(1)
    }
  },
)

const groups = Array.from({ length: Math.ceil(corpus.length / 20) }, (_, i) =>
  corpus.slice(i * 20, i * 20 + 20),
)

test.each(groups.map((_, i) => i))(
  'the letter with strings %i × 20 shows them, and does nothing',
  async group => {
    // As long as the API takes them.
    const texts = groups[group]!.map(text => [...text].slice(0, 100).join(''))
    const letter = messageOf('lrar', 'lrar_mise_en_demeure', texts) as LetterMessage
    const pdf = await letter.pdf()
    expect(await letter.pdf()).toBe(pdf)
    const raw = pdf.toString('latin1')
    expect(raw.startsWith('%PDF-1.7\n')).toBe(true)
    expect(raw.match(/%%EOF/g)).toHaveLength(1)
    expect(raw.match(/\/Type \/Catalog/g)).toHaveLength(1)
    expect(raw).not.toMatch(/\/(?:JavaScript|JS|OpenAction|AA|URI|Launch|SubmitForm|EmbeddedFile|AcroForm)\b/)
    const { text, unmarked, pages } = readPdf(pdf)
    expect(unmarked).toEqual([])
    expect(raw.match(/\/Type \/Page\b/g)).toHaveLength(pages)
    const squeezed = text.replaceAll(/\s/g, '')
    for (const one of texts) {
      const shown = printable(oneLine(one)).text
      expect(squeezed, JSON.stringify(one)).toContain(shown.replaceAll(/\s/g, ''))
    }
  },
)
