import { type Html, html } from '../../../kit/http/html.ts'
import type { Membership } from '../people/act-as-person.ts'
import { actionButton, type Fault, hidden, postForm } from '../people/form-parts.ts'
import { signInAgainForCompany } from '../people/next-path.ts'
import type { Session } from '../people/session.ts'
import type { View } from '../people/view.ts'
import type { CompanyFacts } from './company-facts.ts'
import type { CompanyTexts } from './company-texts.ts'

export interface CompanyView {
  view: View
  session: Session
  texts: CompanyTexts
  membership: Membership
  others: readonly Membership[]
  facts: CompanyFacts
  /** The sign-in is recent enough for changes. */
  isFresh: boolean
  /** The submitted values, if the form was refused. */
  typed: Readonly<Record<string, string>>
  faults: readonly Fault[]
  done: string | undefined
  /** A key that was just made; shown once. */
  newKey?: string
}

/** A form about this company. */
export const companyForm = ({ view, session, membership }: CompanyView, path: string, content: Html): Html =>
  postForm(view, session, path, html`${hidden('company', membership.companyId)}${content}`)

/** A button about one thing of this company. */
export const companyButton = (
  { view, session, membership }: CompanyView,
  path: string,
  fields: Readonly<Record<string, string>>,
  label: string,
  about: string,
): Html => actionButton(view, session, path, { company: membership.companyId, ...fields }, label, about)

/** Shown instead of a form if the sign-in is not recent enough. */
export const signInAgain = ({ view, texts, membership }: CompanyView): Html =>
  html`<p>${texts.again} <a href="${view.to(signInAgainForCompany(membership.companyId))}">${texts.againLink}</a></p>`
