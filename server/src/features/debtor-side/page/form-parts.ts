import { type Html, html } from '../../../kit/http/html.ts'
import { isolatedText } from './layout.ts'
import type { PageLocale } from './page-locale.ts'

/** A fault of one field, with its text. */
export interface Fault {
  field: string
  text: string
}

/** At the top and first in the tab order; it links to its field. */
export const faultSummary = ({ texts }: PageLocale, fault: Fault | null): Html | null =>
  fault &&
  html`<div class="faults" role="alert" tabindex="-1" autofocus aria-labelledby="faults">
<h2 id="faults">${texts.layout.faultTitle}</h2>
<ul><li><a href="#${fault.field}">${fault.text}</a></li></ul>
</div>`

const described = (field: string, hint: string | undefined, fault: Fault | null) => {
  const ids = [hint && `${field}-hint`, fault && `${field}-fault`].filter(Boolean).join(' ')
  return html`${ids && html` aria-describedby="${ids}"`}${fault && html` aria-invalid="true"`}`
}

const faultOfField = (fault: Fault | null, field: string) => (fault?.field === field ? fault : null)

const aboveControl = (field: string, hint: string | undefined, fault: Fault | null) =>
  html`${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}
${fault && html`<p class="fault" id="${field}-fault">${fault.text}</p>`}`

interface Field {
  field: string
  label: string
  hint?: string
  value: string
}

export function dateInput(given: Field & { min: string; max: string }, pageFault: Fault | null): Html {
  const { field, label, hint, value, min, max } = given
  const fault = faultOfField(pageFault, field)
  return html`<div class="field${fault && ' faulty'}"><label for="${field}">${label}</label>
${aboveControl(field, hint, fault)}
<input id="${field}" name="${field}" type="date" required min="${min}" max="${max}" value="${value}"${described(field, hint, fault)}></div>`
}

/** One line of text; `autocomplete` lets a browser offer what it knows. */
export function textInput(given: Field & { autocomplete: string }, pageFault: Fault | null): Html {
  const { field, label, hint, value, autocomplete } = given
  const fault = faultOfField(pageFault, field)
  return html`<div class="field${fault && ' faulty'}"><label for="${field}">${label}</label>
${aboveControl(field, hint, fault)}
<input id="${field}" name="${field}" required maxlength="100" autocapitalize="characters" spellcheck="false" autocomplete="${autocomplete}" value="${value}"${described(field, hint, fault)}></div>`
}

/** A sum of money, which may be left out. */
export function sumInput(given: Field, pageFault: Fault | null): Html {
  const { field, label, hint, value } = given
  const fault = faultOfField(pageFault, field)
  return html`<div class="field${fault && ' faulty'}"><label for="${field}">${label}</label>
${aboveControl(field, hint, fault)}
<input id="${field}" name="${field}" inputmode="decimal" maxlength="60" spellcheck="false" autocomplete="off" value="${value}"${described(field, hint, fault)}></div>`
}

export function textArea(given: Field & { maxLength: number }, pageFault: Fault | null): Html {
  const { field, label, hint, value, maxLength } = given
  const fault = faultOfField(pageFault, field)
  return html`<div class="field${fault && ' faulty'}"><label for="${field}">${label}</label>
${aboveControl(field, hint, fault)}
<textarea id="${field}" name="${field}" rows="4" maxlength="${maxLength}"${described(field, hint, fault)}>
${value}</textarea></div>`
}

interface Choice {
  field: string
  legend: string
  chosen: string
  options: readonly { value: string; text: string; isName?: boolean }[]
}

/** Radio buttons, so that all options are visible. */
export function radios({ field, legend, chosen, options }: Choice, pageFault: Fault | null): Html {
  const fault = faultOfField(pageFault, field)
  return html`<fieldset class="radios${fault && ' faulty'}" id="${field}" tabindex="-1"${fault && html` aria-describedby="${field}-fault"`}><legend>${legend}</legend>
${fault && html`<p class="fault" id="${field}-fault">${fault.text}</p>`}
${options.map(
  ({ value, text, isName }) =>
    html`<label class="choice"><input type="radio" name="${field}" value="${value}" required${value === chosen && html` checked`}><span>${isName ? isolatedText(text) : text}</span></label>`,
)}
</fieldset>`
}
