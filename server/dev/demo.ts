import { reasonText } from '../src/features/recovery/case/reason-texts.ts'
import { type Api, apiOf, type Line, type Message, type PlannedAction } from './demo-api.ts'
import { startDev } from './dev.ts'
import { readOptions } from './script.ts'

/** Monday 16 November 2026, 09:00 in Paris: a fixed start, so that the demo can run at any hour of any day. */
const monday = Date.parse('2026-11-16T09:00:00+01:00')
const letterIsSigned = '2026-12-18T10:15:00+01:00'

const print = (text = '') => console.log(text)
const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text)
const dim = (text: string) => (process.stdout.isTTY ? `\x1b[2m${text}\x1b[0m` : text)

const inParis = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', ...options })
const dayFormat = inParis({ weekday: 'short', day: '2-digit', month: 'short' })
const hourFormat = inParis({ hour: '2-digit', minute: '2-digit' })
const formatMoment = (at: string) =>
  `${dayFormat.format(Date.parse(at)).replace(',', '')}  ${hourFormat.format(Date.parse(at))}`

const columns = { channel: 7, action: 22 }
const margin = ' '.repeat(27)

/** Prints one line of the timeline. */
function printLine(at: string, day: number | null, channel: string, action: string, text: string): void {
  const dayText = day === null ? '' : `day ${day}`
  print(
    `${formatMoment(at)}  ${dayText.padStart(6)}  ${bold(channel.padEnd(columns.channel))}${action.padEnd(columns.action)}${text}`,
  )
}
const printReason = (reason: string) => print(dim(`${margin}${reason}`))

/** The first sentence after the greeting. */
function firstSentence({ body }: Message): string {
  const sentence = body
    .split('\n\n')
    .map(part => part.replaceAll(/\s+/g, ' ').trim())
    .find(part => part.length > 30)
  const text = sentence ?? body
  return `« ${text.length > 72 ? `${text.slice(0, 71).trimEnd()}…` : text} »`
}

const channelNames: Record<string, string> = { email: 'email', sms: 'SMS', voice: 'call', lrar: 'letter' }

/** Advances to the next planned action and prints it; null if nothing more is planned. */
async function advanceOneStep(api: Api, invoiceId: string, before?: string): Promise<PlannedAction | null> {
  const [next] = (await api.plan(invoiceId)).actions
  if (!next?.scheduledAt) return null
  if (before && next.scheduledAt > new Date(before).toISOString()) return null
  const happened = await api.advanceTo(next.scheduledAt)
  for (const line of happened) await printAction(api, invoiceId, line, next)
  return next
}

async function printAction(api: Api, invoiceId: string, line: Line, planned: PlannedAction): Promise<void> {
  const message = line.channel === null ? null : await api.lastMessage(invoiceId, line.channel)
  const text = message ? firstSentence(message) : line.details
  printLine(line.at, planned.day, channelNames[line.channel ?? ''] ?? 'person', line.action, text)
  for (const shift of planned.shifts)
    printReason(
      `not on ${dayFormat.format(Date.parse(shift.from)).replace(',', '')}: ${reasonText(shift.because)}`,
    )
}

async function printHoldReason(api: Api, invoiceId: string): Promise<void> {
  const { reason } = await api.next(invoiceId)
  printReason(`${reason.replace(/\.$/, '')}.`)
}

readOptions(
  'npm run demo\n\nPlays two months of a recovery in the sandbox of a server of its own, in seconds.',
  { options: {} },
)
const startedAt = performance.now()
print('Starting Postgres, the API and a worker on loopback …')
const dev = await startDev({ now: monday, logLevel: 'error' })
try {
  const api = apiOf(dev.installation.baseUrl, dev.company.sandboxKey)
  print(
    `Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s (Postgres: ${dev.postgres}, limits: ${dev.redis}).`,
  )
  await api.call('PUT', '/company', {
    legalName: 'Atelier Martin SAS',
    address: '4 rue des Tanneurs',
    postalCode: '69005',
    city: 'Lyon',
    courtConsent: true,
  })
  const input = {
    invoiceNumber: 'F-2026-0042',
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: {
      name: 'Durand SARL',
      email: 'compta@durand.example',
      phone: '+33612345678',
      address: '12 rue Mercière',
      postalCode: '69002',
      city: 'Lyon',
    },
  }
  print(`\nIn the sandbox it is Monday 16 November 2026, 09:00 in Paris.`)
  print(
    `Atelier Martin sends an invoice of 1,200.00 €, a month overdue, to be recovered from Durand SARL in Lyon:`,
  )
  print(`\n  POST /api/v1/invoices  ${JSON.stringify(input)}`)
  const { id } = await api.call<{ id: string }>('POST', '/invoices', input)
  print('  201. Nobody does anything more; only time passes.\n')

  const plan = await api.plan(id)
  const first = plan.actions[0]
  for (const line of await api.history(id)) await printAction(api, id, line, first!)
  printReason('at once: the debt is overdue, and Monday morning is within the hours')
  while (await advanceOneStep(api, id, letterIsSigned));
  await api.advanceTo(letterIsSigned)
  await api.call('POST', '/sandbox/simulate/lrar-signed', { invoiceId: id })
  printLine(
    new Date(letterIsSigned).toISOString(),
    null,
    'post',
    'letter signed',
    'Durand SARL signs for the letter',
  )
  printReason('its eight days to pay run from here: nobody is called before they are over')
  while (await advanceOneStep(api, id));

  const promised = '2027-01-08T11:00:00+01:00'
  await api.advanceTo(promised)
  await api.call('POST', '/sandbox/simulate/promise', { invoiceId: id, date: '2027-01-12' })
  printLine(promised, null, 'debtor', 'promise', 'Durand SARL answers: the money will come on 12 January')
  await printHoldReason(api, id)
  const paid = '2027-01-12T10:30:00+01:00'
  await api.advanceTo(paid)
  await api.call('POST', '/sandbox/simulate/payment', { invoiceId: id })
  printLine(paid, null, 'bank', 'payment', '1,200.00 € arrive by transfer')
  await printHoldReason(api, id)

  const invoice = await api.call<{ status: string; balanceCents: number }>('GET', `/invoices/${id}`)
  const workflow = await api.call<{ status: string; actionsCompleted: number }>(
    'GET',
    `/workflow/invoice/${id}`,
  )
  print(
    `\nThe invoice is ${bold(invoice.status)}, the recovery ${bold(workflow.status)}, after ${workflow.actionsCompleted} messages; not one left this machine.`,
  )
  const email = (await api.messages(id)).at(-1)!
  print(`\nThe first of them, as Durand SARL would have read it:\n`)
  print(`  Recipient  ${email.recipient}\n  Subject    ${email.subject}\n`)
  print(email.body.replace(/^/gm, '  │ ').trimEnd())
  print(
    `\nTwo months took ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Try it yourself: npm run dev, and docs/sandbox.md`,
  )
} finally {
  await dev.stop()
}
