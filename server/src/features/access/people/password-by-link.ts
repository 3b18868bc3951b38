import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { type Ask, asking, together } from '../../../kit/db/plain.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../../kit/http/site.ts'
import { forgetFailures } from './attempts.ts'
import { type Fault, faultSummary, hidden, newPasswordInput, userName } from './form-parts.ts'
import { layout } from './layout.ts'
import type { Purpose } from './link-life.ts'
import { sendDeadLink } from './link-pages.ts'
import { dropLinks, findLink, useLink } from './mail-links.ts'
import { hashPassword } from './password-hash.ts'
import { changePassword, emailKey } from './person.ts'
import { formReader } from './read-form.ts'
import { queried, type Visit } from './visit.ts'

interface Words {
  title: string
  intro: string
  password: string
  submit: string
  hint?: string
}

/** A mail's link on which somebody chooses their password, and what comes of it. */
export interface PasswordLink {
  purpose: Purpose
  path: string
  words(visit: Visit, email: string): Words
  /** In the transaction that uses the link up and sets the password. */
  followedBy(visit: Visit, ask: Ask, person: { id: string; email: string }): Promise<void>
  leadsTo: string
}

function page(
  visit: Visit,
  link: PasswordLink,
  email: string,
  token: string,
  faults: readonly Fault[],
): Html {
  const { view } = visit
  const words = link.words(visit, email)
  return layout(view, {
    title: words.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${words.title}</h1>
<p>${words.intro}</p>
<form method="post" action="${view.to(link.path)}" novalidate>
${hidden('token', token)}
${userName(email)}
${newPasswordInput(view, words.password, faults)}
<button>${words.submit}</button>
</form>
${words.hint !== undefined && html`<p class="hint">${words.hint}</p>`}`,
  })
}

/** Looking uses nothing up. */
export const show =
  (link: PasswordLink) =>
  async (visit: Visit): Promise<FastifyReply> => {
    const token = queried(visit, 'token')
    const person = await findLink(visit.site, asking(visit.site.pool), token, link.purpose)
    if (!person) return sendDeadLink(visit, link.purpose)
    return sendPage(visit.reply, 200, page(visit, link, person.email, token, []))
  }

export const take =
  (link: PasswordLink) =>
  async (visit: Visit): Promise<FastifyReply> => {
    const { site, view, reply, form } = visit
    const token = field(form, 'token')
    const person = await findLink(site, asking(site.pool), token, link.purpose)
    if (!person) return sendDeadLink(visit, link.purpose)
    const read = formReader(form)
    const password = read.newPassword('password', person.email)
    if (read.faults.length > 0)
      return sendPage(reply, 400, page(visit, link, person.email, token, read.faults))
    const passwordHash = await hashPassword(password)
    const isDone = await together(site.pool, async ask => {
      if ((await useLink(site, ask, token, link.purpose)) !== person.id) return false
      await changePassword(ask, person.id, passwordHash, iso(site.clock.wall()))
      await dropLinks(ask, person.id)
      await forgetFailures(ask, 'account', emailKey(person.email))
      await link.followedBy(visit, ask, person)
      return true
    })
    return isDone ? seeOther(reply, view.to(link.leadsTo)) : sendDeadLink(visit, link.purpose)
  }
