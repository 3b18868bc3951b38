import type { AddressState, Debtor, DebtorPerson } from '@relance/sdk'
import { type ComponentType, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useMay } from '../../lib/api.ts'
import { day } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { localMoment } from '../../lib/zone.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { words } from './people-words.ts'

const PersonForm = lazyPart(() => import('./person-form.tsx'))

type KnownAddress = NonNullable<DebtorPerson['emailState']>
type Field = 'name' | 'email' | 'phone'
/** What is edited, and which of its fields has the focus. */
interface Editing {
  readonly who: DebtorPerson | 'new' | 'record'
  readonly first: string
  /** The button that has the focus again afterwards. */
  readonly from: string
}

const addSign = '+'
const signs: Record<AddressState, string> = {
  never_used: '–',
  unconfirmed: '?',
  reached: '✓',
  refused: '✕',
  closed: '✕',
}
const tones: Record<AddressState, string> = {
  never_used: 'text-soft',
  unconfirmed: 'text-soft',
  reached: 'text-brand',
  refused: 'text-alarm',
  closed: 'text-alarm',
}

interface Props {
  readonly debtor: Debtor
  /** The act that corrects an address; the route hands it in. */
  readonly addressForm: ComponentType<{
    readonly debtor: Debtor
    readonly first: string
    readonly onClose: () => void
  }>
}

/** Who can be spoken to, what is known of each address, and the record: each value is edited where it stands. */
export function People({ debtor, addressForm: AddressForm }: Props) {
  const text = useWords(words)
  const may = useMay()
  const id = useId()
  const [editing, setEditing] = useState<Editing | null>(null)
  const back = useRef<string | null>(null)
  useEffect(() => {
    if (editing === null && back.current !== null) document.getElementById(back.current)?.focus()
    back.current = editing?.from ?? null
  }, [editing])
  const people = debtor.people?.people ?? []
  const isNamed = (channel: 'email' | 'phone') => people.some(({ mainFor }) => mainFor.includes(channel))
  const edit = (who: Editing['who'], first: string, from: string) => setEditing({ who, first, from })
  const close = () => setEditing(null)
  const recordFields = (['email', 'phone'] as const).filter(channel => !isNamed(channel))
  return (
    <Sheet
      title={text.title}
      aside={
        <span className="inline-flex min-h-9">
          {may('debtors.addPerson') && (
            <Button id={`${id}-add`} onClick={() => edit('new', 'name', `${id}-add`)}>
              <span aria-hidden>{addSign}</span> {text.add}
            </Button>
          )}
        </span>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {people.map(person => (
          <li key={person.id} className="py-2 first:pt-0">
            {editing?.who instanceof Object && editing.who.id === person.id ? (
              <Suspense fallback={<div className="min-h-96" />}>
                <PersonForm debtor={debtor} person={person} first={editing.first} onClose={close} />
              </Suspense>
            ) : (
              <Person
                person={person}
                debtor={debtor}
                place={`${id}-${person.id}`}
                onEdit={may('debtors.changePerson') ? (field, from) => edit(person, field, from) : undefined}
              />
            )}
          </li>
        ))}
        {people.length === 0 && editing?.who !== 'new' && <li className="py-2 text-soft">{text.nobody}</li>}
        {editing?.who === 'new' && (
          <li className="py-2">
            <Suspense fallback={<div className="min-h-96" />}>
              <PersonForm debtor={debtor} person={null} first={editing.first} onClose={close} />
            </Suspense>
          </li>
        )}
        <li className="pt-2">
          {editing?.who === 'record' ? (
            <Suspense fallback={<div className="min-h-64" />}>
              <AddressForm debtor={debtor} first={editing.first} onClose={close} />
            </Suspense>
          ) : (
            <Record
              debtor={debtor}
              addresses={recordFields}
              place={`${id}-record`}
              onEdit={may('debtors.update') ? (field, from) => edit('record', field, from) : undefined}
            />
          )}
        </li>
      </ul>
    </Sheet>
  )
}

type OnEdit = ((field: string, from: string) => void) | undefined

function Person({
  person,
  debtor,
  place,
  onEdit,
}: {
  readonly person: DebtorPerson
  readonly debtor: Debtor
  readonly place: string
  readonly onEdit: OnEdit
}) {
  const text = useWords(words)
  const { name, role, ground, email, emailState, phone, phoneState, mainFor, language } = person
  const about = [text.roles[role], language && language !== debtor.language && text.languages[language]]
  const isMain = mainFor.map(channel => text.channels[channel]).join(', ')
  const pencil = (field: Field) => (
    <Pencil
      id={`${place}-${field}`}
      label={text.change(text.about[field], name)}
      onClick={onEdit && (() => onEdit(field, `${place}-${field}`))}
    />
  )
  return (
    <>
      <Line pencil={pencil('name')}>
        <span className="min-w-0 break-words">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-soft">{about.filter(Boolean).join(', ')}</span>
          {isMain && <span className="text-brand">{` · ${text.main} (${isMain})`}</span>}
        </span>
      </Line>
      {ground !== null && <p className="break-words text-soft">{ground}</p>}
      {email !== null && emailState && (
        <Line pencil={pencil('email')}>
          <Address address={email} href={`mailto:${email}`} known={emailState} debtor={debtor} />
        </Line>
      )}
      {phone !== null && phoneState && (
        <Line pencil={pencil('phone')}>
          <Address address={phone} href={`tel:${phone}`} known={phoneState} debtor={debtor} />
        </Line>
      )}
    </>
  )
}

/** Its height and the place of the pencil stay when it is not known yet whether it may be edited. */
function Line({ pencil, children }: { readonly pencil: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center gap-2">
      <span className="flex min-w-0 flex-1">{children}</span>
      <span className="size-8 flex-none">{pencil}</span>
    </div>
  )
}

function Pencil({
  id,
  label,
  onClick,
}: {
  readonly id: string
  readonly label: string
  readonly onClick: (() => void) | undefined
}) {
  if (!onClick) return null
  return (
    <button
      type="button"
      id={id}
      aria-label={label}
      title={label}
      className="inline-flex size-8 items-center justify-center rounded-control hover:bg-calm"
      onClick={onClick}
    >
      <svg width={16} height={16} aria-hidden="true" className="fill-none stroke-current">
        <path d="M3 13l.7-3L11 2.7 13.3 5 6 12.3z" />
      </svg>
    </button>
  )
}

/** An address with what is known of it; a refused one is struck through. */
function Address({
  address,
  href,
  known,
  debtor,
}: {
  readonly address: string
  readonly href: string
  readonly known: KnownAddress
  readonly debtor: Debtor
}) {
  const text = useWords(words)
  const language = useLanguage()
  const { state, since, because } = known
  const on =
    since === null
      ? ''
      : day(localMoment(Date.parse(since), debtor.timeZone ?? 'Europe/Paris').slice(0, 10), language)
  const isUsable = state !== 'refused' && state !== 'closed'
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
      <a href={href} className={`min-w-0 break-all underline ${isUsable ? 'text-brand' : 'line-through'}`}>
        {address}
      </a>
      <span className={`text-mark ${tones[state]}`}>
        <span aria-hidden>{signs[state]}</span>{' '}
        {[text.states[state](on), because && text.closed[because]].filter(Boolean).join(' : ')}
      </span>
    </span>
  )
}

/** The addresses for which nobody is named, the SIRET and the postal address. */
function Record({
  debtor,
  addresses,
  place,
  onEdit,
}: {
  readonly debtor: Debtor
  readonly addresses: readonly ('email' | 'phone')[]
  readonly place: string
  readonly onEdit: OnEdit
}) {
  const text = useWords(words)
  const { siret, address, postalCode, city } = debtor
  const town = [postalCode, city].filter(Boolean).join(' ')
  const lines = [...(address?.split('\n') ?? []), town].filter(Boolean)
  const pencil = (field: string, label: string) => (
    <Pencil
      id={`${place}-${field}`}
      label={label}
      onClick={onEdit && (() => onEdit(field, `${place}-${field}`))}
    />
  )
  return (
    <>
      <p className="font-medium">{text.record}</p>
      {addresses.map(channel => {
        const known = debtor.people?.[`${channel}State`]
        const value = debtor[channel]
        return (
          known &&
          value !== null && (
            <Line key={channel} pencil={pencil(channel, text.change(text.about[channel], debtor.name))}>
              <Address
                address={value}
                href={channel === 'email' ? `mailto:${value}` : `tel:${value}`}
                known={known}
                debtor={debtor}
              />
            </Line>
          )
        )
      })}
      <Line pencil={pencil('siret', text.changeSiret)}>
        <span className="text-soft">{text.siret}</span>
        <span className="ml-2">{siret ?? text.unknown}</span>
      </Line>
      <Line pencil={pencil('address', text.changeAddress)}>
        <span className="min-w-0 break-words whitespace-pre-line">
          {lines.length > 0 ? lines.join('\n') : text.noAddress}
        </span>
      </Line>
    </>
  )
}
