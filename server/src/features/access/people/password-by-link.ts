import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, type Query, queryOn } from '../../../kit/db/query.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther, sendPage } from '../../../kit/http/pages.ts'
import { hashPassword } from '../../../kit/password-hash.ts'
import { resetFailures } from './attempts.ts'
import { type Fault, faultSummary, hidden, newPasswordInput, userName } from './form-parts.ts'
import { layout } from './layout.ts'
import type { LinkPurpose } from './link-life.ts'
import { sendDeadLink } from './link-pages.ts'
import { deleteLinks, findLink, useLink } from './mail-links.ts'
import { changePassword, emailKey } from './person.ts'
import { formReader } from './read-form.ts'
import { queryValue, type Visit } from './visit.ts'

interface PasswordLinkTexts {
  title: string
  intro: string
  password: string
  submit: string
  hint?: string
}

/** A link in a mail with which a person sets a password. */
export interface PasswordLink {
  purpose: LinkPurpose
  path: string
  texts(visit: Visit, email: string): PasswordLinkTexts
  /** Runs in the transaction that uses the link and sets the password. A function it returns runs after the commit. */
  afterChange(
    visit: Visit,
    query: Query,
    person: { id: string; email: string },
  ): Promise<(() => Promise<void>) | null>
  redirectTo: string
}

function passwordPage(
  visit: Visit,
  link: PasswordLink,
  email: string,
  token: string,
  faults: readonly Fault[],
): Html {
  const { view } = visit
  const texts = link.texts(visit, email)
  return layout(view, {
    title: texts.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${texts.title}</h1>
<p>${texts.intro}</p>
<form method="post" action="${view.to(link.path)}" novalidate>
${hidden('token', token)}
${userName(email)}
${newPasswordInput(view, texts.password, faults)}
<button>${texts.submit}</button>
</form>
${texts.hint !== undefined && html`<p class="hint">${texts.hint}</p>`}`,
  })
}

/** Opening the page does not use the link up. */
export const getPasswordLink =
  (link: PasswordLink) =>
  async (visit: Visit): Promise<FastifyReply> => {
    const token = queryValue(visit, 'token')
    const person = await findLink(visit.context, queryOn(visit.context.pool), token, link.purpose)
    if (!person) return sendDeadLink(visit, link.purpose)
    return sendPage(visit.reply, 200, passwordPage(visit, link, person.email, token, []))
  }

export const postPasswordLink =
  (link: PasswordLink) =>
  async (visit: Visit): Promise<FastifyReply> => {
    const { context, view, reply, form } = visit
    const token = field(form, 'token')
    const person = await findLink(context, queryOn(context.pool), token, link.purpose)
    if (!person) return sendDeadLink(visit, link.purpose)
    const read = formReader(form)
    const password = read.newPassword('password', person.email)
    if (read.faults.length > 0)
      return sendPage(reply, 400, passwordPage(visit, link, person.email, token, read.faults))
    const passwordHash = await hashPassword(password, context.passwordCost)
    const done = await inTransaction(context.pool, async query => {
      if ((await useLink(context, query, token, link.purpose)) !== person.id) return null
      await changePassword(query, person.id, passwordHash, iso(context.clock.wall()))
      await deleteLinks(query, person.id)
      await resetFailures(query, 'account', emailKey(person.email))
      return { next: await link.afterChange(visit, query, person) }
    })
    if (!done) return sendDeadLink(visit, link.purpose)
    await done.next?.()
    return seeOther(reply, view.to(link.redirectTo))
  }
