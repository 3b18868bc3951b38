import type { Message } from '../../../adapters/channel.ts'
import type { LateTerms } from '../../../domain/money/late-payment.ts'
import { formalNotice, isAnswer } from '../../../domain/recovery/cascade.ts'
import { daysToPay } from '../../../domain/recovery/formal-notice.ts'
import { localTime } from '../../../domain/time.ts'
import type { DebtorFile } from '../case/debtor-file.ts'
import type { Communication } from './communication.ts'
import { printLetter } from './letter/print-letter.ts'
import type { Content } from './read-content.ts'
import { inHtml } from './texts/email-html.ts'
import { inGsm } from './texts/gsm.ts'
import { countOf, type Notice } from './texts/notice.ts'
import { cleaned, oneLine } from './texts/one-line.ts'
import { inPlainText } from './texts/plain-text.ts'
import { claimedIn, claimingSteps, statementOf } from './texts/statement.ts'
import { textOf } from './texts/texts.ts'

/** Who recovers for companies that mandate it, where somebody does. */
export type Collector = { name: string; address: string } | null

/** Networks show at most eleven letters and digits in place of a number. */
const senderName = (company: string) =>
  company
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 11) || 'Relance'

const onOneLine = (of: { address: string | null; postalCode: string | null; city: string | null }) =>
  [of.address, [of.postalCode, of.city].filter(part => part !== null).join(' ')]
    .filter(part => part !== null && part !== '')
    .join(', ') || null

const lateTermsOf = (file: Pick<DebtorFile, 'type' | 'creditor' | 'insolvency_opened_on'>): LateTerms => ({
  debtorType: file.type,
  creditorCountry: file.creditor.country,
  contractRateBps: file.creditor.contractRateBps,
  isClaimed: file.creditor.claimsLatePayment,
  insolvencyOpenedOn: file.insolvency_opened_on,
})

interface World {
  mailFrom: string
  now: number
  code: string
  link: string
  collector: Collector
}

/** What the words of a step are told. */
export function noticeOf(
  { id, step, channel }: Pick<Communication, 'id' | 'step' | 'channel'>,
  file: DebtorFile,
  content: Content,
  world: Pick<World, 'now' | 'link' | 'collector'>,
): Notice {
  const { creditor } = file
  const zone = content.zone
  const today = localTime(zone, world.now).date
  const { first } = content
  const isClaimed = content.invoices.some(({ claimedCents }) => claimedCents > 0)
  // What was claimed once is asked for by every later message that has room to say how it comes about: its link asks for it.
  const claims =
    claimingSteps.includes(step) ||
    (isClaimed && step === 'extra_message' && (channel === 'email' || channel === 'lrar'))
  const statement = claims
    ? statementOf(content.invoices, countOf(content) - content.invoices.length, lateTermsOf(file), today)
    : null
  const isCollected = creditor.isCollected && world.collector !== null
  return {
    creditor: {
      name: creditor.name,
      replyEmail: creditor.replyEmail,
      iban: creditor.iban,
      address: onOneLine(creditor),
      city: creditor.city,
    },
    debtor: {
      name: file.name,
      address: onOneLine({ address: file.address, postalCode: file.postal_code, city: file.city }),
    },
    today,
    invoices: content.invoices,
    further: content.further,
    // Who is answered is not reminded of anything else.
    alsoOpen: isAnswer(step) ? [] : content.alsoOpen,
    payWithinDays: step === formalNotice ? daysToPay : null,
    mayNameCourt: creditor.mayNameCourt,
    statement,
    isClaimedBeyond: isClaimed && statement === null,
    collector: isCollected
      ? {
          ...world.collector!,
          reference: id,
          first: first && { reference: first.id, on: localTime(zone, first.at).date },
        }
      : null,
    own: content.own,
    about: content.about,
    link: world.link,
  }
}

/** The words of a step, addressed, and what they claim of each invoice beyond its principal. Everything was decided before. */
export function writeMessage(
  communication: Communication,
  file: DebtorFile,
  content: Content,
  world: World,
): { message: Message; claimed: { invoiceId: string; cents: number }[] } {
  const { channel, step } = communication
  const { creditor, language } = file
  const words = textOf(step, channel)
  if (!words) throw new Error(`no words for step ${step} on ${channel}`)
  const notice = noticeOf(communication, file, content, world)
  const text = words(language, notice)
  const { subject } = text
  const body = inPlainText(text.blocks)
  const common = { communicationId: communication.id, code: world.code, language, at: world.now }
  const names = cleaned({ creditor: creditor.name, debtor: file.name })
  const claimed = claimedIn(notice.statement)
  switch (channel) {
    case 'email': {
      const message: Message = {
        ...common,
        channel,
        from: { name: `${names.creditor} via Relance`, address: world.mailFrom },
        replyTo: { name: names.creditor, address: creditor.replyEmail },
        to: { name: names.debtor, address: file.email },
        subject,
        text: body,
        // Only who carries it asks for it: a sandbox keeps the text alone.
        get html() {
          return inHtml(text, { language, creditor: names.creditor })
        },
      }
      return { message, claimed }
    }
    case 'sms':
      return {
        message: {
          ...common,
          channel,
          from: senderName(creditor.name),
          to: file.phone!,
          text: inGsm(body.trim()),
        },
        claimed,
      }
    case 'voice':
      return { message: { ...common, channel, to: file.phone!, opening: subject, text: body }, claimed }
    case 'lrar': {
      const from = cleaned({
        name: creditor.name,
        lines: creditor.address === null ? [] : [creditor.address],
        postalCode: creditor.postalCode ?? '',
        city: creditor.city ?? '',
        country: creditor.country,
      })
      const to = cleaned({
        name: file.name,
        lines: [file.address!],
        postalCode: file.postal_code!,
        city: file.city!,
        country: file.country,
      })
      const reference = oneLine(content.invoices[0]!.number)
      let printed: Promise<Buffer> | undefined
      const message: Message = {
        ...common,
        channel,
        from,
        to,
        subject,
        text: body,
        reference,
        pdf: () => {
          printed ??= printLetter({
            from,
            to,
            reference,
            text,
            language,
            today: notice.today,
            madeAt: world.now,
          })
          return printed
        },
        delivery: { by: 'paper' },
      }
      return { message, claimed }
    }
  }
}
