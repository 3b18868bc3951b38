import { type Html, html } from '../../../kit/http/html.ts'
import type { Session } from './session.ts'
import type { PageTexts } from './texts/page-texts.ts'
import type { View } from './view.ts'

export type FaultCode = keyof PageTexts['faults']

/** What is wrong with which field. */
export interface Fault {
  field: string
  because: FaultCode
}

/** The list of errors, at the top and first in tab order; each line links to its field. */
export const faultSummary = ({ texts }: View, faults: readonly Fault[]): Html | null =>
  faults.length === 0
    ? null
    : html`<div class="faults" role="alert" tabindex="-1" autofocus aria-labelledby="faults">
<h2 id="faults">${faults.length === 1 ? texts.layout.oneFault : texts.layout.someFaults}</h2>
<ul>${faults.map(({ field, because }) => html`<li><a href="#${field}">${texts.faults[because]}</a></li>`)}</ul>
</div>`

/** A status message above a form. */
export const statusMessage = (text: string | null | undefined): Html | null =>
  text ? html`<p class="notice" role="status">${text}</p>` : null

interface Input {
  name: string
  /** Needed if the name is used twice on a page. */
  id?: string
  label: string
  hint?: string
  value?: string
  type?: 'text' | 'email' | 'password'
  autocomplete?: string
  isReadOnly?: boolean
  isOptional?: boolean
}

const ariaAttributes = (name: string, hint: string | undefined, fault: Fault | undefined) => {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return html`${ids && html` aria-describedby="${ids}"`}${fault && html` aria-invalid="true"`}`
}

const fieldWrapper = (
  view: View,
  { name, id = name, label, hint }: Input,
  fault: Fault | undefined,
  control: Html,
) =>
  html`<div class="field${fault && ' faulty'}"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${fault && html`<p class="fault" id="${id}-fault">${view.texts.faults[fault.because]}</p>`}
${control}</div>`

export function input(view: View, given: Input, faults: readonly Fault[] = []): Html {
  const { name, id = name, type = 'text', value, autocomplete, isReadOnly, isOptional } = given
  const fault = faults.find(one => one.field === id)
  return fieldWrapper(
    view,
    given,
    fault,
    html`<input id="${id}" name="${name}" type="${type}"${!isOptional && html` required`}${autocomplete && html` autocomplete="${autocomplete}"`}${value !== undefined && html` value="${value}"`}${isReadOnly && html` readonly`}${type === 'email' && html` inputmode="email" autocapitalize="none" spellcheck="false"`}${ariaAttributes(id, given.hint, fault)}>`,
  )
}

export const newPasswordInput = (view: View, label: string, faults: readonly Fault[]): Html => {
  const hint = view.texts.fields.passwordHint
  const given = { name: 'password', label, type: 'password', autocomplete: 'new-password', hint } as const
  return input(view, given, faults)
}

interface Choice {
  name: string
  id?: string
  label: string
  value: string
  autocomplete?: string
  options: readonly { value: string; text: string; lang?: string }[]
}

export function select(view: View, given: Choice, faults: readonly Fault[] = []): Html {
  const { name, id = name, value, autocomplete, options } = given
  const fault = faults.find(one => one.field === id)
  return fieldWrapper(
    view,
    given,
    fault,
    html`<select id="${id}" name="${name}" required${autocomplete && html` autocomplete="${autocomplete}"`}${ariaAttributes(id, undefined, fault)}>
${options.map(option => html`<option value="${option.value}"${option.lang && html` lang="${option.lang}"`}${option.value === value && html` selected`}>${option.text}</option>`)}
</select>`,
  )
}

const languages = [
  { value: 'fr', text: 'Français', lang: 'fr' },
  { value: 'en', text: 'English', lang: 'en' },
]
export const languageSelect = (view: View, value: string): Html =>
  select(view, { name: 'language', label: view.texts.fields.language, value, options: languages })

export const hidden = (name: string, value: string | null | undefined): Html | null =>
  value ? html`<input type="hidden" name="${name}" value="${value}">` : null

/** A hidden user name field for password managers. */
export const userName = (email: string): Html =>
  html`<input class="unseen" type="text" name="username" autocomplete="username" value="${email}" readonly tabindex="-1" aria-hidden="true">`

export const csrf = (session: Session): Html =>
  html`<input type="hidden" name="csrf" value="${session.csrf}">`

/** A form of a signed-in person. */
export const postForm = (view: View, session: Session, path: string, content: Html, isInline = false): Html =>
  html`<form method="post" action="${view.to(path)}" novalidate${isInline && html` class="inline"`}>${csrf(session)}${content}</form>`

/** A form with one button; hidden text names the item, for screen readers. */
export const actionButton = (
  view: View,
  session: Session,
  path: string,
  fields: Readonly<Record<string, string>>,
  label: string,
  about: string,
): Html =>
  postForm(
    view,
    session,
    path,
    html`${Object.entries(fields).map(([name, value]) => hidden(name, value) ?? html``)}<button class="second">${label}<span class="unseen"> ${about}</span></button>`,
    true,
  )
