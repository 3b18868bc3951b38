import type { ContactPoint, Debtor } from '@relance/sdk'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useWords } from '../../lib/language.tsx'
import { TextField } from '../../ui/field.tsx'
import { EditForm } from './edit-form.tsx'
import { words } from './people-words.ts'

const lengths = { email: 254, phone: 20, siret: 30, address: 300, postalCode: 20, city: 100 } as const
type Field = keyof typeof lengths

interface Props {
  readonly debtor: Debtor
  /** The addresses for which nobody is named: they are edited here. */
  readonly addresses: readonly ContactPoint[]
  readonly first: string
  readonly onClose: () => void
}

/** SIRET, postal address, and the addresses without a person. Only what was changed is sent. */
export default function RecordForm({ debtor, addresses, first, onClose }: Props) {
  const text = useWords(words)
  const api = useApi()
  const fields: readonly Field[] = [...addresses, 'siret', 'address', 'postalCode', 'city']
  const [values, setValues] = useState<Partial<Record<Field, string>>>({})
  const save = async (options: { idempotencyKey: string }) => {
    const changes = fields.flatMap(field => {
      const value = values[field]
      return value === undefined || value === (debtor[field] ?? '') ? [] : [[field, value || null] as const]
    })
    return changes.length > 0 ? api.debtors.update(debtor.id, Object.fromEntries(changes), options) : null
  }
  return (
    <EditForm first={first} save={save} saved={text.savedRecord} onClose={onClose}>
      {faultOf =>
        fields.map(field => (
          <div key={field} data-field={field}>
            <TextField
              label={text.fields[field]}
              isOptional={field !== 'email'}
              lines={field === 'address' ? 2 : 1}
              value={values[field] ?? debtor[field] ?? ''}
              onChange={value => setValues(before => ({ ...before, [field]: value }))}
              maxLength={lengths[field]}
              error={faultOf(field)}
            />
          </div>
        ))
      }
    </EditForm>
  )
}
