import { email as emailField, line } from '../../../kit/fields.ts'
import { type Form, field } from '../../../kit/http/site.ts'
import type { Fault, FaultCode } from './form-parts.ts'
import { judgePassword } from './password-rules.ts'
import type { Language } from './texts/words.ts'

const longestText = 200

/** Reads one field after the other, and remembers what was wrong with each. */
export function formReader(form: Form) {
  const faults: Fault[] = []
  const note = (name: string, because: FaultCode) => void faults.push({ field: name, because })
  return {
    faults,
    text(name: string, missing: FaultCode): string {
      const value = field(form, name).trim().replaceAll(/\s+/g, ' ')
      const read = line(longestText).safeParse(value)
      if (value === '') note(name, missing)
      else if ([...value].length > longestText) note(name, 'text_long')
      else if (!read.success) note(name, 'text_characters')
      return read.success ? read.data : value
    },
    email(name: string): string {
      const value = field(form, name).trim()
      if (value === '') note(name, 'email_missing')
      else if (!emailField.safeParse(value).success) note(name, 'email_malformed')
      return value
    },
    language(name: string): Language {
      const value = field(form, name)
      if (value !== 'fr' && value !== 'en') note(name, 'language_unknown')
      return value === 'en' ? 'en' : 'fr'
    },
    /** As it was typed: spaces at the ends belong to it. */
    newPassword(name: string, email: string): string {
      const value = field(form, name)
      const fault = judgePassword(value, email)
      if (fault) note(name, fault)
      return value
    },
    password(name: string): string {
      const value = field(form, name)
      if (value === '') note(name, 'password_missing')
      return value
    },
    refuse: note,
  }
}
