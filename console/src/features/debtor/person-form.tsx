import type { ContactPoint, Debtor, DebtorPerson, DebtorPersonUpdate, GivenRole } from '@relance/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi, useMay } from '../../lib/api.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { limitOf } from '../../lib/limits.ts'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EditForm } from './edit-form.tsx'
import { words } from './people-words.ts'

const rolesOf: Record<'consumer' | 'other', readonly GivenRole[]> = {
  consumer: ['guardian', 'heir', 'lawyer'],
  other: ['accounting', 'buyer', 'manager', 'other'],
}

const maxOf = (field: string) => limitOf('debtors.addPerson', field).maxLength

interface Props {
  readonly debtor: Debtor
  /** Null: somebody new. */
  readonly person: DebtorPerson | null
  readonly first: string
  readonly onClose: () => void
}

/** Adds somebody, changes them or removes them. Only what was changed is sent. */
export default function PersonForm({ debtor, person, first, onClose }: Props) {
  const text = useWords(words)
  const reader = useLanguage()
  const api = useApi()
  const may = useMay()
  const queries = useQueryClient()
  const roles = rolesOf[debtor.type === 'consumer' ? 'consumer' : 'other']
  const known = {
    name: person?.name ?? '',
    role: person?.role ?? roles[0]!,
    ground: person?.ground ?? '',
    email: person?.email ?? '',
    phone: person?.phone ?? '',
    language: person?.language ?? '',
  }
  const [values, setValues] = useState<Readonly<Record<keyof typeof known, string>>>(known)
  const [mainFor, setMainFor] = useState<readonly ContactPoint[]>([])
  const set = (field: keyof typeof known) => (value: string) =>
    setValues(before => ({ ...before, [field]: value }))
  const hasRole = values.role !== 'debtor'
  const isMain = (channel: ContactPoint) => person?.mainFor.includes(channel) ?? false

  const save = async (options: { idempotencyKey: string }) => {
    const { name, role, ground, email, phone, language } = values
    const given = {
      name,
      ...(hasRole && { role: role as GivenRole }),
      ...(roles === rolesOf.consumer && hasRole && { ground: ground || null }),
      email: email || null,
      phone: phone || null,
      language: language === '' ? null : (language as 'fr' | 'en'),
    }
    const chosen = mainFor.length > 0 && { mainFor: [...mainFor] }
    if (person === null)
      return api.debtors.addPerson(debtor.id, { ...given, role: given.role ?? roles[0]!, ...chosen }, options)
    const entries = Object.entries(given).filter(
      ([field, value]) => (value ?? '') !== known[field as keyof typeof known],
    )
    const changes: DebtorPersonUpdate = { ...Object.fromEntries(entries), ...chosen }
    return Object.keys(changes).length > 0
      ? api.debtors.changePerson(debtor.id, person.id, changes, options)
      : null
  }
  const removal = useMutation({
    mutationFn: () => api.debtors.removePerson(debtor.id, person!.id),
    onSuccess: () => {
      showToast({ text: text.removed })
      onClose()
    },
    onError: error =>
      showToast({ text: `${text.notSaved} ${refusalSentence(error, reader)}`, tone: 'alarm' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['debtor'] }),
  })
  return (
    <EditForm
      first={first}
      save={save}
      saved={text.saved}
      onClose={onClose}
      aside={
        person &&
        person.mainFor.length === 0 &&
        may('debtors.removePerson') && (
          <Button tone="alarm" onClick={() => removal.mutate()}>
            {text.remove}
          </Button>
        )
      }
    >
      {faultOf => (
        <>
          <div data-field="name">
            <TextField
              label={text.fields.name}
              value={values.name}
              onChange={set('name')}
              maxLength={maxOf('name')}
              error={faultOf('name')}
            />
          </div>
          {hasRole && (
            <SelectField
              label={text.fields.role}
              value={values.role}
              onChange={set('role')}
              choices={roles.map(role => [role, text.roles[role]] as const)}
              error={faultOf('role')}
            />
          )}
          {hasRole && roles === rolesOf.consumer && (
            <TextField
              label={text.fields.ground}
              hint={text.groundHint}
              value={values.ground}
              onChange={set('ground')}
              maxLength={maxOf('ground')}
              error={faultOf('ground')}
            />
          )}
          {(['email', 'phone'] as const).map(channel => (
            <div key={channel} data-field={channel} className="flex flex-col gap-1">
              <TextField
                label={text.fields[channel]}
                isOptional={channel === 'phone' || !isMain('email')}
                hint={isMain(channel) ? text.mainHint : undefined}
                value={values[channel]}
                onChange={set(channel)}
                maxLength={maxOf(channel)}
                error={faultOf(channel)}
              />
              {!isMain(channel) && values[channel] !== '' && (
                <CheckField
                  label={text.makeMain(text.channels[channel])}
                  hint={text.mainHint}
                  isChecked={mainFor.includes(channel)}
                  onChange={isChecked =>
                    setMainFor(before =>
                      isChecked ? [...before, channel] : before.filter(one => one !== channel),
                    )
                  }
                />
              )}
            </div>
          ))}
          <SelectField
            label={text.fields.language}
            value={values.language}
            onChange={set('language')}
            choices={[['', text.languageOfDebtor], ...Object.entries(text.languages)]}
          />
        </>
      )}
    </EditForm>
  )
}
