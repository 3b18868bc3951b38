import { clockTime } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { words } from './words.ts'

/** Shown when newer data could not be read: what stands here is not from now. */
export function DataAge({ since }: { readonly since: number }) {
  const { dataOf } = useWords(words)
  const language = useLanguage()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return (
    <p role="status" className="text-soft">
      {dataOf(clockTime(since, timeZone, language))}
    </p>
  )
}
