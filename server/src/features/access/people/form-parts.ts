import { type Html, html } from '../../../kit/http/html.ts'
import type { Session } from './session.ts'
import type { Words } from './texts/words.ts'
import type { View } from './view.ts'

export type FaultCode = keyof Words['faults']

/** What is wrong with which field. */
export interface Fault {
  field: string
  because: FaultCode
}

/** At the top and first in the order of the keyboard; each line leads to its field. */
export const faultSummary = ({ words }: View, faults: readonly Fault[]): Html | null =>
  faults.length === 0
    ? null
    : html`<div class="faults" role="alert" tabindex="-1" autofocus aria-labelledby="faults">
<h2 id="faults">${faults.length === 1 ? words.layout.oneFault : words.layout.someFaults}</h2>
<ul>${faults.map(({ field, because }) => html`<li><a href="#${field}">${words.faults[because]}</a></li>`)}</ul>
</div>`

/** Something that went well, or that one should know. */
export const notice = (text: string | null | undefined): Html | null =>
  text ? html`<p class="notice" role="status">${text}</p>` : null

interface Input {
  name: string
  label: string
  hint?: string
  value?: string
  type?: 'text' | 'email' | 'password'
  autocomplete?: string
  isReadOnly?: boolean
}

const described = (name: string, hint: string | undefined, fault: Fault | undefined) => {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return html`${ids && html` aria-describedby="${ids}"`}${fault && html` aria-invalid="true"`}`
}

const around = (view: View, { name, label, hint }: Input, fault: Fault | undefined, control: Html) =>
  html`<div class="field${fault && ' faulty'}"><label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault && html`<p class="fault" id="${name}-fault">${view.words.faults[fault.because]}</p>`}
${control}</div>`

export function input(view: View, given: Input, faults: readonly Fault[] = []): Html {
  const { name, type = 'text', value, autocomplete, isReadOnly } = given
  const fault = faults.find(one => one.field === name)
  return around(
    view,
    given,
    fault,
    html`<input id="${name}" name="${name}" type="${type}" required${autocomplete && html` autocomplete="${autocomplete}"`}${value !== undefined && html` value="${value}"`}${isReadOnly && html` readonly`}${type === 'email' && html` inputmode="email" autocapitalize="none" spellcheck="false"`}${described(name, given.hint, fault)}>`,
  )
}

export const newPasswordInput = (view: View, label: string, faults: readonly Fault[]): Html => {
  const hint = view.words.fields.passwordHint
  const given = { name: 'password', label, type: 'password', autocomplete: 'new-password', hint } as const
  return input(view, given, faults)
}

interface Choice {
  name: string
  label: string
  value: string
  autocomplete?: string
  options: readonly { value: string; text: string; lang?: string }[]
}

export function select(view: View, given: Choice, faults: readonly Fault[] = []): Html {
  const { name, value, autocomplete, options } = given
  const fault = faults.find(one => one.field === name)
  return around(
    view,
    given,
    fault,
    html`<select id="${name}" name="${name}" required${autocomplete && html` autocomplete="${autocomplete}"`}${described(name, undefined, fault)}>
${options.map(option => html`<option value="${option.value}"${option.lang && html` lang="${option.lang}"`}${option.value === value && html` selected`}>${option.text}</option>`)}
</select>`,
  )
}

const languages = [
  { value: 'fr', text: 'Français', lang: 'fr' },
  { value: 'en', text: 'English', lang: 'en' },
]
export const languageSelect = (view: View, value: string): Html =>
  select(view, { name: 'language', label: view.words.fields.language, value, options: languages })

export const hidden = (name: string, value: string | null | undefined): Html | null =>
  value ? html`<input type="hidden" name="${name}" value="${value}">` : null

/** For the browser's own memory of passwords, which looks for a field; nobody else meets it. */
export const userName = (email: string): Html =>
  html`<input class="unseen" type="text" name="username" autocomplete="username" value="${email}" readonly tabindex="-1" aria-hidden="true">`

export const csrf = (session: Session): Html =>
  html`<input type="hidden" name="csrf" value="${session.csrf}">`
