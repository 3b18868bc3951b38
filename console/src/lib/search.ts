import { useNavigate, useSearch } from '@tanstack/react-router'

/** One parameter of the URL. Each change adds a history entry, so that going back undoes it. */
export function useSearchText(name: string): [string | undefined, (value: string | undefined) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const value = search[name]
  const set = (next: string | undefined) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, [name]: next })) as never,
      resetScroll: false,
    })
  return [typeof value === 'string' ? value : undefined, set]
}
