import { email as emailField, line } from '../../../kit/fields.ts'
import { type Form, field } from '../../../kit/http/form.ts'
import type { Fault, FaultCode } from './form-parts.ts'
import { judgePassword } from './password-rules.ts'
import type { Language } from './texts/page-texts.ts'

const textLengthMax = 200

/** Reads the fields of a form and collects their errors. */
export function formReader(form: Form) {
  const faults: Fault[] = []
  const addFault = (name: string, because: FaultCode) => void faults.push({ field: name, because })
  return {
    faults,
    text(name: string, missing: FaultCode): string {
      const value = field(form, name).trim().replaceAll(/\s+/g, ' ')
      const read = line(textLengthMax).safeParse(value)
      if (value === '') addFault(name, missing)
      else if ([...value].length > textLengthMax) addFault(name, 'text_long')
      else if (!read.success) addFault(name, 'text_characters')
      return read.success ? read.data : value
    },
    email(name: string): string {
      const value = field(form, name).trim()
      if (value === '') addFault(name, 'email_missing')
      else if (!emailField.safeParse(value).success) addFault(name, 'email_malformed')
      return value
    },
    language(name: string): Language {
      const value = field(form, name)
      if (value !== 'fr' && value !== 'en') addFault(name, 'language_unknown')
      return value === 'en' ? 'en' : 'fr'
    },
    /** As it was typed: spaces at the ends belong to it. */
    newPassword(name: string, email: string): string {
      const value = field(form, name)
      const fault = judgePassword(value, email)
      if (fault) addFault(name, fault)
      return value
    },
    password(name: string): string {
      const value = field(form, name)
      if (value === '') addFault(name, 'password_missing')
      return value
    },
    refuse: addFault,
  }
}
