import type { Happening } from './store.ts'

const subjectKinds = ['invoice', 'debtor', 'payment', 'communication', 'task'] as const
type SubjectKind = (typeof subjectKinds)[number]

/**
 * What a hint is about. `company` is everything that is set up for the company: its settings, cascades, texts, people, keys, the
 * stop of sending. `all`: too much changed to list it, or it is not known what; fetch everything that is shown.
 */
export const hintKinds = [...subjectKinds, 'company', 'all'] as const

/** Records that may have changed. */
export interface Hint {
  readonly kind: (typeof hintKinds)[number]
  readonly ids: readonly string[]
}

export const everything: Hint = { kind: 'all', ids: [] }

/** The first words of audit events about what is set up for the company. */
const ofCompany = new Set([
  'company',
  'cascade',
  'claims',
  'template',
  'member',
  'api_key',
  'webhook',
  'oauth_client',
  'oauth_grant',
])
/** With more ids of one kind than this, a screen fetches everything. */
const idsMax = 100

const isSubjectKind = (word: string | undefined): word is SubjectKind =>
  subjectKinds.some(kind => kind === word)

/** One hint for each kind. */
export function hintsOf(happenings: readonly Happening[], companyId: string): readonly Hint[] {
  const found = new Map<Hint['kind'], Set<string>>()
  const add = (kind: Hint['kind'], id: string | null) => {
    if (id === null) return
    const ids = found.get(kind) ?? new Set()
    found.set(kind, ids.add(id))
  }
  for (const happening of happenings) {
    for (const kind of subjectKinds) add(kind, happening[`${kind}_id`])
    const { type, subject } = happening
    const word = type?.split('.')[0]
    if (isSubjectKind(word)) add(word, subject)
    // Only the id of the company: not every role may read keys and people.
    else if (word !== undefined && ofCompany.has(word)) add('company', companyId)
    // The clock was moved, or everything was deleted.
    else if (word === 'sandbox') return [everything]
  }
  const hints = [...found].map(([kind, ids]): Hint => ({ kind, ids: [...ids] }))
  return hints.some(({ ids }) => ids.length > idsMax) ? [everything] : hints
}

export const eventText = (hints: readonly Hint[]): string =>
  hints.map(hint => `event: hint\ndata: ${JSON.stringify(hint)}\n\n`).join('')
