import { beforeEach, expect, it } from 'vitest'
import type { ChannelAdapter, EmailMessage } from '../../../src/adapters/channel.ts'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { announceEndedWebhooks } from '../../../src/features/integrations/webhooks/announce-ended-webhooks.ts'
import {
  startDelivering,
  startFanOutLoop,
} from '../../../src/features/integrations/webhooks/delivery-loop.ts'
import { type AccountMailContext, sendNotices, startMailLoop } from '../../../src/start/mail-loop.ts'
import { onlyWorker } from '../../harness/deliveries.ts'
import { insertEvents, queueEvents, useManualDelivery } from '../../harness/manual-delivery.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { useReceiver } from '../../harness/use-receiver.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const minute = 60_000

let companies = 0
let company: CreatedCompany
let ownerEmail: string
let webhookId: string
beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  await installation.sql('delete from account_mails')
  receiver.received.length = 0
  receiver.status = 500
  await open('fr')
})

/** A company whose owner reads this language, with a webhook whose URL has a secret of its own. */
async function open(language: 'fr' | 'en') {
  ownerEmail = `owner${++companies}@atelier-martin.example`
  company = await installation.server.createCompany({
    name: 'Atelier Martin',
    ownerEmail,
    language,
    tier: 'pro',
  })
  const answer = await installation.call<{ id: string }>('POST', path, {
    key: company.productionKey,
    body: { url: `${receiver.url}?token=s3cret#part`, events: ['invoice.created'] },
  })
  expect(answer.status, answer.text).toBe(201)
  webhookId = answer.body.data.id
}
/** One event fails once more, after so many failures. */
async function fail(attempts: number): Promise<string> {
  const tenantId = company.tenants.production
  const [eventId] = await insertEvents(installation, tenantId, { count: 1 })
  await queueEvents(installation, { tenantId, webhookId }, [eventId!], { attempts })
  await delivery.deliverDue()
  return eventId!
}
const mails = () => installation.server.mailbox.messages().filter(({ to }) => to === ownerEmail)
const notices = () => installation.sql<{ attempts: number }>('select attempts from account_mails')

it.each([
  ['fr', 'Votre webhook ne répond plus', 'Trois tentatives', 'Dernière réponse HTTP 500'],
  ['en', 'Your webhook has stopped answering', 'Three attempts', 'Last answer  HTTP 500'],
] as const)(
  'an owner who reads %s is warned in it, with the URL but without what its query may hide',
  async (language, ...expectedWords) => {
    await open(language)
    await fail(1)
    await delivery.sendMail()
    expect(mails()).toEqual([])
    await fail(2)
    await delivery.sendMail()
    const [mail, ...more] = mails()
    expect(more).toEqual([])
    expect(mail!.subject).toBe(
      `${expectedWords[0]}${language === 'fr' ? '\u00a0' : ''}: ${new URL(receiver.url).host}`,
    )
    for (const word of [
      expectedWords[1],
      expectedWords[2],
      receiver.url,
      'production',
      'invoice.created',
      `${path}/${webhookId}/deliveries`,
    ])
      expect(mail!.text).toContain(word)
    expect(mail!.subject + mail!.text).not.toMatch(/token|s3cret|#part/)
    expect(await notices()).toEqual([])
  },
)

it.each([
  ['fr', 'Votre webhook est désactivé', 'Cinq tentatives'],
  ['en', 'Your webhook is switched off', 'Five attempts'],
] as const)(
  'an owner who reads %s is told in it that the webhook is off, and how to have what it missed',
  async (language, ...expectedWords) => {
    await open(language)
    const eventId = await fail(4)
    await delivery.sendMail()
    const [mail] = mails()
    expect(mail!.subject).toContain(expectedWords[0])
    expect(mail!.text).toContain(expectedWords[1])
    expect(mail!.text).not.toMatch(/token|s3cret/)
    const since = /recover\s+\{"since": "([^"]+)"\}/.exec(mail!.text)![1]!
    expect(Date.parse(since)).toBe(Number.parseInt(eventId.replace('-', '').slice(0, 12), 16))
  },
)

it.each([
  ['fr', 'Votre webhook renvoie vers une autre adresse', 'enregistrez l’adresse finale', 'HTTP 302'],
  ['en', 'Your webhook redirects to another address', 'save the final address', 'HTTP 302'],
] as const)(
  'an owner who reads %s is told in it that the webhook redirects, and what to do',
  async (language, ...expectedWords) => {
    await open(language)
    receiver.status = 302
    await fail(0)
    await delivery.sendMail()
    const [mail] = mails()
    expect(mail!.subject).toContain(expectedWords[0])
    for (const word of [expectedWords[1], expectedWords[2], `${path}/${webhookId}/deliveries`])
      expect(mail!.text).toContain(word)
    expect(mail!.text).not.toMatch(/token|s3cret/)
  },
)

it('of one webhook an owner is warned once a day, and of another one besides', async () => {
  await fail(2)
  await fail(2)
  await delivery.sendMail()
  delivery.advanceClock(23 * 60 * minute)
  await fail(2)
  await delivery.sendMail()
  expect(mails()).toHaveLength(1)
  delivery.advanceClock(61 * minute)
  await fail(2)
  await delivery.sendMail()
  expect(mails()).toHaveLength(2)
  const other = await installation.call<{ id: string }>('POST', path, {
    key: company.productionKey,
    body: { url: receiver.url, events: ['invoice.created'] },
  })
  webhookId = other.body.data.id
  await fail(2)
  await delivery.sendMail()
  expect(mails()).toHaveLength(3)
})

/** People who own the company; the address it was opened with is none of theirs. */
async function addOwners(...emails: string[]) {
  for (const email of emails)
    await installation.sql(
      `with person as (
         insert into people (id, email, email_key, name, language, created_at)
         values (gen_random_uuid(), $1, $1, 'Camille', 'fr', now()) returning id)
       insert into memberships (person_id, company_id, role, created_at) select id, $2, $3, now() from person`,
      [email, company.companyId, email.startsWith('viewer') ? 'viewer' : 'owner'],
    )
}
const addresseesOf = (subject: RegExp) =>
  installation.server.mailbox
    .messages()
    .flatMap(mail => (subject.test(mail.subject) && mail.text.includes(webhookId) ? [mail.to] : []))
    .toSorted()

it.each([
  ['is failing', /ne répond plus/, () => fail(2)],
  ['was switched off', /désactivé/, () => fail(4)],
  [
    'ended with its maker',
    /avec l’accès/,
    async () => {
      await installation.sql(
        `update api_keys k set enabled = false from webhook_endpoints p where p.webhook_id = $1 and k.id = p.maker_id::uuid`,
        [webhookId],
      )
      await announceEndedWebhooks(delivery.context)
    },
  ],
] as const)('that a webhook %s is mailed to every owner who is a person', async (_, subject, happen) => {
  const owners = [`anne${companies}@example.com`, `bruno${companies}@example.com`]
  await addOwners(...owners, `viewer${companies}@example.com`)
  await happen()
  await delivery.sendMail()
  await delivery.sendMail()
  await delivery.sendMail()
  expect(addresseesOf(subject)).toEqual(owners)
  expect(await notices()).toEqual([])
})

it('of a webhook that was deleted since nobody is told', async () => {
  await fail(2)
  expect(await notices()).toHaveLength(1)
  await installation.call('DELETE', `${path}/${webhookId}`, { key: company.productionKey })
  await delivery.sendMail()
  expect(mails()).toEqual([])
  expect(await notices()).toEqual([])
})

const notifierWith = (send: ChannelAdapter<EmailMessage>['send']): AccountMailContext => {
  const { pool, clock, keyring, log } = delivery.context
  const email = { send } as ChannelAdapter<EmailMessage>
  const publicUrl = installation.server.baseUrl
  return { pool, clock, keyring, publicUrl, email, mailFrom: 'relance@relance.example', log }
}

it('a mail server that is away is asked again later, and later each time', async () => {
  await fail(2)
  const away = notifierWith(async () => ({ outcome: 'unavailable', reason: 'away' }))
  await sendNotices(away)
  await sendNotices(away)
  expect(await notices()).toEqual([{ attempts: 1 }])
  delivery.advanceClock(minute)
  await sendNotices(away)
  delivery.advanceClock(minute)
  await sendNotices(away)
  expect(await notices()).toEqual([{ attempts: 2 }])
  delivery.advanceClock(minute)
  await delivery.sendMail()
  expect(mails()).toHaveLength(1)
  expect(await notices()).toEqual([])
})

it('a mail server that takes its time keeps nobody’s event waiting', async () => {
  await fail(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  const hanging = notifierWith(async () => {
    await promise
    return { outcome: 'retryable', reason: 'slow' }
  })
  receiver.status = 200
  const tenantId = company.tenants.production
  const loops = [
    startFanOutLoop(delivery.context, onlyWorker, 10),
    startDelivering(delivery.context, 10),
    startMailLoop(hanging, 10),
  ]
  try {
    await eventually(notices, ([notice]) => notice?.attempts === 1)
    const [eventId] = await insertEvents(installation, tenantId, { count: 1 })
    await queueEvents(installation, { tenantId, webhookId }, [eventId!])
    await eventually(
      () => receiver.events().at(-1)?.id,
      id => id === eventId,
    )
  } finally {
    resolve()
    for (const loop of loops) await loop.stop()
  }
})
