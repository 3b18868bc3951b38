import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { ReceivedMail } from '../../dev/mailbox.ts'
import { eventually, type TestInstallation } from './use-installation.ts'
import { newVisitor, type PageResponse, type Visitor } from './visitor.ts'

export interface SignedUpPerson {
  visitor: Visitor
  email: string
  password: string
  name: string
  personId: string
  companyId: string
}

/** Options for an installation that trusts its proxy: each visitor has its own address and its own limits. */
export const withProxy = { env: { TRUSTED_PROXIES: '127.0.0.1' } }

export const newPassword = () => `quite a long one ${randomBytes(6).toString('hex')}`
export const newEmail = () => `someone-${randomBytes(5).toString('hex')}@people.example`

/** Helpers for people who use the installation's pages and read its mails. */
export function peopleCalls(installation: TestInstallation) {
  const visitor = (options: Parameters<typeof newVisitor>[1] = {}) =>
    newVisitor(installation.server.baseUrl, options)

  const mailsTo = (address: string) =>
    installation.server.mailbox.messages().filter(mail => mail.to === address)

  /** The newest mail to somebody, once there are so many. */
  async function mailTo(address: string, count = 1): Promise<ReceivedMail> {
    const mails = await eventually(
      () => mailsTo(address),
      found => found.length >= count,
    )
    return mails.at(-1)!
  }

  /** The path of the one link of ours in a mail. */
  function linkIn({ text }: ReceivedMail): string {
    const [link, ...more] = text.match(/https?:\/\/\S+\?token=\S+/g) ?? []
    expect(more).toEqual([])
    expect(link).toContain(`${installation.server.baseUrl}/`)
    return link!.slice(installation.server.baseUrl.length)
  }

  const signUpForm = (changes: Record<string, string> = {}) => ({
    company: 'Menuiserie Exemple',
    country: 'FR',
    language: 'en',
    name: 'Camille Exemple',
    email: newEmail(),
    ...changes,
  })

  /** Signs up and stops before the mail is opened. */
  async function signUp(changes: Record<string, string> = {}, who = visitor()) {
    const form = signUpForm(changes)
    const answer = await who.submit(await who.get('/sign-up'), '/sign-up', form)
    expect(answer.status, answer.html).toBe(303)
    return { visitor: who, form, answer }
  }

  /** Opens the link of a mail, chooses a password and presses the button. */
  async function confirm(who: Visitor, mail: ReceivedMail, password = newPassword()): Promise<PageResponse> {
    const link = linkIn(mail)
    return who.submit(await who.get(link), link.split('?')[0]!, { password })
  }

  const signIn = (who: Visitor, email: string, password: string, next = '') =>
    who.post('/sign-in', { email, password, ...(next && { next }) })

  return {
    visitor,
    mailsTo,
    mailTo,
    linkIn,
    signUp,
    signUpForm,
    confirm,
    signIn,
    /** A signed-in owner of a new company. */
    async newOwner(
      { password = newPassword(), ...changes }: Record<string, string> = {},
      who = visitor(),
    ): Promise<SignedUpPerson> {
      const { form } = await signUp(changes, who)
      const answer = await confirm(who, await mailTo(form.email), password)
      expect(answer.status, answer.html).toBe(303)
      const [row] = await installation.sql<{ person_id: string; company_id: string }>(
        'select m.person_id, m.company_id from people p join memberships m on m.person_id = p.id where p.email_key = $1',
        [form.email.toLowerCase()],
      )
      const { email, name } = form
      return {
        visitor: who,
        email,
        password,
        name,
        personId: row!.person_id,
        companyId: row!.company_id,
      }
    },
    /** The audit events of a company's production, in order. */
    auditEvents: (companyId: string) =>
      installation.sql<{ type: string; data: Record<string, unknown>; actor: unknown; request_id: string }>(
        `select e.type, e.data, e.actor, e.request_id from audit_log e join tenants t on t.id = e.tenant_id
          where t.company_id = $1 and t.environment = 'production' order by e.id`,
        [companyId],
      ),
  }
}
