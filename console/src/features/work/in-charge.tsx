import type { Debtor } from '@relance/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi, useMay } from '../../lib/api.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { showToast } from '../../ui/toast.tsx'
import { words } from './words.ts'

/** The person of the company who looks after the debtor. */
export function InCharge({ debtor }: { readonly debtor: Debtor }) {
  const text = useWords(words)
  const language = useLanguage()
  const api = useApi()
  const may = useMay()
  const queries = useQueryClient()
  const { data: team } = useQuery({
    queryKey: ['team'],
    queryFn: ({ signal }) => api.team.list({ signal }),
    staleTime: 300_000,
  })
  const change = useMutation({
    mutationFn: async (id: string) => {
      await api.debtors.update(debtor.id, { inChargeId: id || null })
    },
    onError: error =>
      showToast({ text: `${text.notSaved} ${refusalSentence(error, language)}`, tone: 'alarm' }),
    onSettled: () =>
      Promise.all(['debtor', 'work'].map(kind => queries.invalidateQueries({ queryKey: [kind] }))),
  })
  const people = team?.people ?? []
  const chosen = change.isPending ? change.variables : (debtor.inChargeId ?? '')
  return (
    <label className="flex items-center gap-2 text-soft">
      {text.inCharge}
      <select
        className="min-h-8 max-w-56 rounded-control border border-edge bg-sheet px-2 text-ink max-md:min-h-11"
        disabled={!may('debtors.update')}
        value={chosen}
        onChange={({ target }) => change.mutate(target.value)}
      >
        <option value="">{text.nobody}</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
