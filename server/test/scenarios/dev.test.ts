import { expect, inject, it, vi } from 'vitest'
import { Relance } from '../../../sdk/src/index.ts'
import type { SampleClient } from '../../../sdk/src/sample-portfolio.ts'
import { apiOf } from '../../dev/demo-api.ts'
import { type Dev, receiveWebhooks, startDev } from '../../dev/dev.ts'
import type { ReceivedMail } from '../../dev/mailbox.ts'
import { useCli } from '../harness/cli.ts'
import { eventually, mondayMorning } from '../harness/use-installation.ts'

const cli = useCli(() => ({}))

/** Mails as a person sees them, webhooks as they arrived, and a person of each role. */
async function expectPages({ pages, installation }: Dev, mail: ReceivedMail) {
  const show = async (path: string) => (await fetch(`${pages.url}${path}`)).text()
  expect(await show('/')).toContain(`export BASE_URL=${installation.baseUrl}`)
  expect(await show('/mails')).toContain(mail.to)
  expect(await show('/mails/0')).toContain('<iframe class="phone" sandbox="allow-popups"')
  expect(await show('/mails/0/html')).toBe(mail.html)
  await eventually(
    () => pages.deliveries().filter(({ event, isSigned }) => event === 'invoice.created' && isSigned).length,
    count => count >= 2,
  )
  expect(await show('/webhooks')).toContain('invoice.created')
  const viewer = pages.signInUrl.replace('/owner', '/viewer')
  const signedIn = await fetch(viewer, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const me = await fetch(`${installation.baseUrl}/console/me`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  expect(await me.text()).toContain('"role":"viewer"')
  expect((await fetch(`${pages.url}/sign-in/owner?with=guessed`)).status).toBe(404)
}

/** Everything that a person may have to do, and what happened in nine weeks. */
async function expectPortfolio({ installation, company }: Dev) {
  const relance = new Relance({ apiKey: company.sandboxKey, baseUrl: installation.baseUrl })
  const sample = () =>
    cli.run(['sample', '--json'], { BASE_URL: installation.baseUrl, API_KEY: company.sandboxKey })
  expect(await sample()).toMatchObject({ code: 2, err: expect.stringContaining('relance sandbox reset') })
  await relance.sandbox.reset()
  const clients: SampleClient[] = JSON.parse((await sample()).out)
  const { now, queues, held } = await relance.reports.today()
  expect(new Date(now).getUTCDay()).toBe(1)
  const kinds = ['situations', 'decide', 'disputes', 'wrongPerson', 'addressRefused', 'replies', 'upheld']
  expect(queues!.map(({ kind }) => kind).sort()).toEqual(kinds.sort())
  expect(held!.map(({ because }) => because)).toEqual(
    expect.arrayContaining(['promise', 'insolvency', 'debtor']),
  )
  const statuses = await Promise.all(clients.map(async ({ invoiceId }) => relance.invoices.get(invoiceId)))
  expect([...new Set(statuses.map(({ status }) => status))].sort()).toEqual([
    'disputed',
    'imported',
    'in_recovery',
    'lrar_sent',
    'paid',
    'partial',
  ])
}

it('a development installation sends mails that say where to pay, and shows them, its webhooks and its people', async () => {
  vi.stubEnv('DATABASE_URL', inject('adminUrl'))
  const dev = await startDev({ now: mondayMorning, logLevel: 'silent' })
  try {
    await receiveWebhooks(dev)
    const { installation, company } = dev
    const input = {
      invoiceNumber: 'F-2026-0042',
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: { name: 'Durand SARL', email: 'compta@durand.example', postalCode: '69002', city: 'Lyon' },
    }
    const account = 'FR1420041010050500013M02606'
    await apiOf(installation.baseUrl, company.productionKey).call('POST', '/invoices', input)
    const mail = await eventually(
      () => installation.mailbox.messages().find(({ to }) => to === input.debtor.email),
      sent => sent !== undefined,
    )
    expect(mail!.text.replaceAll(/\s/g, '')).toContain(account)
    const sandbox = apiOf(installation.baseUrl, company.sandboxKey)
    const { id } = await sandbox.call<{ id: string }>('POST', '/invoices', input)
    await sandbox.history(id)
    expect((await sandbox.lastMessage(id, 'email'))!.body.replaceAll(/\s/g, '')).toContain(account)
    await expectPages(dev, mail!)
    await expectPortfolio(dev)
  } finally {
    await dev.stop()
    vi.unstubAllEnvs()
  }
})
