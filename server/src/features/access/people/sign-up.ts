import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { type Ask, together } from '../../../kit/db/plain.ts'
import { newEvent } from '../../../kit/events.ts'
import { html } from '../../../kit/http/html.ts'
import { type Form, field, type Site, seeOther, sendPage } from '../../../kit/http/site.ts'
import { planMail } from '../../platform/notices/plan-mail.ts'
import { addCompany } from '../companies/create-company.ts'
import { signedUp } from './acts.ts'
import { type Country, countryOptions, habitsOf, isCountry } from './countries.ts'
import { evenly } from './evenly.ts'
import { type Fault, faultSummary, input, languageSelect, select } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { mayWrite, refuseFlood, sendLink } from './mail-links.ts'
import { addMembership, addPerson, emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import type { Language } from './texts/words.ts'
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
  const { words, to } = view
  const text = (name: 'company' | 'name', autocomplete: string) =>
    input(view, { name, label: words.fields[name], value: values[name], autocomplete }, faults)
  const countries = {
    name: 'country',
    label: words.fields.country,
    value: values.country,
    autocomplete: 'country',
    options: countryOptions(view.language),
  }
  return layout(view, {
    title: words.signUp.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${words.signUp.title}</h1>
<p>${words.signUp.intro}</p>
<form method="post" action="${to('/sign-up')}" novalidate>
${text('company', 'organization')}
${select(view, countries, faults)}
${languageSelect(view, values.language)}
${text('name', 'name')}
${input(view, { name: 'email', label: words.fields.email, type: 'email', value: values.email, autocomplete: 'username' }, faults)}
<button>${words.signUp.submit}</button>
</form>
<p>${words.signUp.other} <a href="${to('/sign-in')}">${words.signUp.otherLink}</a></p>`,
  })
}

export function showSignUp(visit: Visit): FastifyReply {
  const { view, reply } = visit
  if (view.session) return seeOther(reply, view.to('/account'))
  const blank = { company: '', country: 'FR', language: view.language, name: '', email: '' }
  return sendPage(reply, 200, signUpPage(visit, blank, []))
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
 * Somebody new, with a company of their own and without a password: it is chosen by who opens the mail. Whoever has the
 * address already is told so, by mail and by nothing else.
 */
async function enrol(site: Site, ask: Ask, { request }: Visit, given: Enrolment): Promise<void> {
  const { email, name, language } = given
  const wall = site.clock.wall()
  const newId = () => site.newId(wall)
  const personId = newId()
  const createdAt = iso(wall)
  const person = { id: personId, email, name, language, passwordHash: null, verifiedAt: null, createdAt }
  if (!(await addPerson(ask, person))) {
    const known = await findPersonByEmail(ask, email)
    if (known?.email_verified_at === null) return sendLink(site, ask, known, 'verify_email')
    if (!known || !(await mayWrite(site, ask, known, 'account_exists'))) return
    const { keyring } = site
    const mail = {
      id: newId(),
      kind: 'account_exists',
      subjectId: known.id,
      token: null,
      keyring,
      wall,
    } as const
    await planMail(ask, mail)
    return
  }
  const { companyId } = await addCompany(
    ask,
    { wall, newId },
    {
      name: given.company,
      ownerEmail: email,
      country: given.country,
      language,
      ...habitsOf(given.country),
    },
  )
  await addMembership(ask, personId, companyId, 'owner', iso(wall))
  await sendLink(site, ask, { id: personId, email_key: emailKey(email) }, 'verify_email')
  await keepActs(site, ask, request, personId, newEvent(signedUp, personId, { personId }))
}

export async function takeSignUp(visit: Visit): Promise<FastifyReply> {
  const { site, view, reply, form } = visit
  const { values, faults } = readSignUp(form)
  const { country } = values
  if (faults.length > 0 || !isCountry(country)) return sendPage(reply, 400, signUpPage(visit, values, faults))
  await refuseFlood(visit)
  await evenly(() => together(site.pool, ask => enrol(site, ask, visit, { ...values, country })))
  return seeOther(reply, view.to('/mail-sent'))
}
