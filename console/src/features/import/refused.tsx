import { useLanguage } from '../../lib/language.tsx'
import { refusalSentence } from '../../lib/refusal-words.ts'

/** Why the API refused, and what to do. */
export function Refused({ error }: { readonly error: Error | null }) {
  const language = useLanguage()
  return (
    error && (
      <p role="alert" className="text-alarm">
        {refusalSentence(error, language)}
      </p>
    )
  )
}
