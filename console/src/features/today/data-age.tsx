import { clockTime } from '../../lib/format.ts'
import { useWords } from '../../lib/language.tsx'
import { words } from './words.ts'

/** Shown when a refresh failed and the data on the screen is old. */
export function DataAge({ since }: { readonly since: number }) {
  const { dataOf } = useWords(words)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return (
    <p role="status" className="text-soft">
      {dataOf(clockTime(since, timeZone))}
    </p>
  )
}
