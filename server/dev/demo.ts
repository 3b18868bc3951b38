import { startDev } from './dev.ts'
import type { ReceivedMail } from './mailbox.ts'

/** Monday 16 November 2026, 09:00 in Paris: the story works at any hour of any day. */
const monday = Date.parse('2026-11-16T09:00:00+01:00')

const say = (text: string) => console.log(text)
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function until<T>(look: () => Promise<T | null | undefined> | T | null | undefined): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const seen = await look()
    if (seen) return seen
    await pause(100)
  }
  throw new Error('it did not happen within 30 seconds')
}

const began = performance.now()
say('Starting Postgres, the engine, the API, a worker and a mailbox on loopback …')
const dev = await startDev({ now: monday, logLevel: 'error' })
try {
  const { installation, company } = dev
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(installation.baseUrl + path, {
      method,
      headers: { 'x-api-key': company.productionKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as {
      data: Record<string, unknown>
      error?: { code: string; message: string }
    }
    if (answer.error) throw new Error(`${method} ${path}: ${answer.error.code} ${answer.error.message}`)
    return answer.data
  }
  say(
    `Ready in ${((performance.now() - began) / 1000).toFixed(1)} s (Postgres: ${dev.postgres}, limits: ${dev.redis}).`,
  )
  say(
    '\nIt is Monday 16 November 2026, 09:00 in Paris. Atelier Martin, who sells to businesses, sends an overdue invoice:',
  )
  const input = {
    invoiceNumber: 'F-2026-0042',
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: {
      name: 'Durand SARL',
      email: 'compta@durand.example',
      address: '12 rue Mercière',
      postalCode: '69002',
      city: 'Lyon',
    },
  }
  say(`  POST /api/v1/invoices  ${JSON.stringify(input)}`)
  const created = await call('POST', '/api/v1/invoices', input)
  say(`  201  ${JSON.stringify(created)}`)

  say(
    '\nThe recovery is running. The engine wakes the debtor’s agenda, the rules allow a message now, and it leaves by SMTP:',
  )
  const mail = await until<ReceivedMail>(() => installation.mailbox.messages()[0])
  say(`\n  Recipient  ${mail.to}\n  Sender     ${mail.from}\n  Subject    ${mail.subject}\n`)
  say(mail.text.replace(/^/gm, '  │ ').trimEnd())

  const path = `/api/v1/workflow/invoice/${created.id}`
  const workflow = await until(async () => {
    const seen = await call('GET', path)
    return seen.actionsCompleted === 1 ? seen : null
  })
  say(`\nWhere it stands   GET ${path}\n  ${JSON.stringify(workflow)}`)
  say(`What was done     GET ${path}/history\n  ${JSON.stringify(await call('GET', `${path}/history`))}`)
  say(
    `What comes next   GET ${path}/next-action\n  ${JSON.stringify(await call('GET', `${path}/next-action`))}`,
  )

  say(
    '\nAt the same moment a second invoice for the same debtor arrives: one contact a day, so it waits, and says why:',
  )
  const second = await call('POST', '/api/v1/invoices', { ...input, invoiceNumber: 'F-2026-0043' })
  const next = await until(async () => {
    const seen = await call('GET', `/api/v1/workflow/invoice/${second.id}/next-action`)
    return seen.reasonCode === 'cascade' ? null : seen
  })
  say(`  ${JSON.stringify(next)}`)
  say(`\nThe story took ${((performance.now() - began) / 1000).toFixed(1)} s. Now: npm run dev`)
} finally {
  await dev.stop()
}
