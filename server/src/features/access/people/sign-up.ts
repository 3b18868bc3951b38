import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, type Query } from '../../../kit/db/query.ts'
import { newEvent } from '../../../kit/events.ts'
import { type Form, field } from '../../../kit/http/form.ts'
import { html } from '../../../kit/http/html.ts'
import { type PageContext, seeOther, sendPage } from '../../../kit/http/pages.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { addCompany } from '../companies/create-company.ts'
import { addStop } from '../companies/stops.ts'
import { signedUp } from './audit-events.ts'
import { constantTime } from './constant-time.ts'
import { type Country, countryOptions, defaultsOf, isCountry } from './countries.ts'
import { type Fault, faultSummary, input, languageSelect, select } from './form-parts.ts'
import { layout } from './layout.ts'
import { limitMails, mayMail, sendLink } from './mail-links.ts'
import { startPath } from './next-path.ts'
import { addMembership, addPerson, emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import type { Language } from './texts/page-texts.ts'
import type { Visit } from './visit.ts'

interface Values {
  company: string
  country: string
  language: Language
  name: string
  email: string
}

interface Enrolment extends Values {
  country: Country
}

function signUpPage({ view }: Visit, values: Values, faults: readonly Fault[]) {
  const { texts, to } = view
  const text = (name: 'company' | 'name', autocomplete: string) =>
    input(view, { name, label: texts.fields[name], value: values[name], autocomplete }, faults)
  const countries = {
    name: 'country',
    label: texts.fields.country,
    value: values.country,
    autocomplete: 'country',
    options: countryOptions(view.language),
  }
  return layout(view, {
    title: texts.signUp.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${texts.signUp.title}</h1>
<p>${texts.signUp.intro}</p>
<form method="post" action="${to('/sign-up')}" novalidate>
${text('company', 'organization')}
${select(view, countries, faults)}
${languageSelect(view, values.language)}
${text('name', 'name')}
${input(view, { name: 'email', label: texts.fields.email, type: 'email', value: values.email, autocomplete: 'username' }, faults)}
<button>${texts.signUp.submit}</button>
</form>
<p>${texts.signUp.other} <a href="${to('/sign-in')}">${texts.signUp.otherLink}</a></p>`,
  })
}

export function getSignUp(visit: Visit): FastifyReply {
  const { view, reply } = visit
  if (view.session) return seeOther(reply, view.to(startPath))
  const blank = { company: '', country: 'FR', language: view.language, name: '', email: '' }
  return sendPage(reply, 200, signUpPage(visit, blank, []))
}

/** The operator makes the companies of this installation itself. */
export function showSignUpClosed({ view, reply }: Visit): FastifyReply {
  const { texts, to } = view
  const body = html`<h1>${texts.signUp.closed}</h1>
<p>${texts.signUp.closedText}</p>
<p>${texts.signUp.other} <a href="${to('/sign-in')}">${texts.signUp.otherLink}</a></p>`
  return sendPage(reply, 403, layout(view, { title: texts.signUp.closed, hasFaults: false, body }))
}

function readSignUp(form: Form) {
  const read = formReader(form)
  const company = read.text('company', 'company_missing')
  const country = field(form, 'country')
  if (!isCountry(country)) read.refuse('country', 'country_unknown')
  const language = read.language('language')
  const name = read.text('name', 'name_missing')
  const email = read.email('email')
  return { values: { company, country, language, name, email }, faults: read.faults }
}

/**
 * Adds a new person with a company, without a password: it is chosen through the link in the mail. If the address already has an
 * account, only a mail to that address says so.
 */
async function enrol(
  context: PageContext,
  query: Query,
  { request }: Visit,
  given: Enrolment,
): Promise<void> {
  const { email, name, language } = given
  const wall = context.clock.wall()
  const newId = () => context.newId(wall)
  const personId = newId()
  const createdAt = iso(wall)
  const person = { id: personId, email, name, language, passwordHash: null, verifiedAt: null, createdAt }
  if (!(await addPerson(query, person))) {
    const known = await findPersonByEmail(query, email)
    if (known?.email_verified_at === null) return sendLink(context, query, known, 'verify_email')
    if (!known || !(await mayMail(context, query, known, 'account_exists'))) return
    const { keyring } = context
    const mail = {
      id: newId(),
      kind: 'account_exists',
      subjectId: known.id,
      token: null,
      keyring,
      wall,
    } as const
    await enqueueMail(query, mail)
    return
  }
  const { companyId, tenants } = await addCompany(
    query,
    { wall, newId },
    {
      name: given.company,
      ownerEmail: email,
      country: given.country,
      language,
      ...defaultsOf(given.country),
    },
  )
  // The company is not vetted yet: it has only its sandbox until the operator opens production.
  await addStop(query, wall, {
    id: newId(),
    scope: 'tenant',
    target: tenants.production,
    kind: 'close',
    reason: 'not opened by the operator',
    by: 'sign-up',
  })
  await addMembership(query, personId, companyId, 'owner', iso(wall))
  await sendLink(context, query, { id: personId, email_key: emailKey(email) }, 'verify_email')
  await recordPersonAudit(context, query, request, personId, newEvent(signedUp, personId, { personId }))
}

export async function postSignUp(visit: Visit): Promise<FastifyReply> {
  const { context, view, reply, form } = visit
  const { values, faults } = readSignUp(form)
  const { country } = values
  if (faults.length > 0 || !isCountry(country)) return sendPage(reply, 400, signUpPage(visit, values, faults))
  await limitMails(visit)
  await constantTime(() =>
    inTransaction(context.pool, query => enrol(context, query, visit, { ...values, country })),
  )
  return seeOther(reply, view.to('/mail-sent'))
}
