import { RelanceError } from '@relance/sdk'
import { defineWords, useWords } from '../lib/language.tsx'
import { Button } from './button.tsx'

const words = defineWords(
  {
    kinds: {
      away: 'Le serveur n’a pas répondu. Vérifiez votre connexion, puis réessayez.',
      refused: 'Votre rôle ne permet pas de voir ceci. Demandez à un propriétaire de la société.',
      notFound: 'Cela n’existe pas, ou n’est pas à vous.',
      invalid: 'L’adresse de cette page demande quelque chose que le serveur ne comprend pas.',
      other: 'Le serveur n’a pas pu répondre. Réessayez\u00a0; si cela dure, donnez ce numéro au support.',
    },
    retry: 'Réessayer',
    request: (id: string) => `Requête ${id}`,
  },
  {
    kinds: {
      away: 'The server did not answer. Check your connection, then try again.',
      refused: 'Your role does not allow you to see this. Ask an owner of the company.',
      notFound: 'This does not exist, or it is not yours.',
      invalid: 'The address of this page asks for something the server does not understand.',
      other: 'The server could not answer. Try again; if it goes on, give this number to the support.',
    },
    retry: 'Try again',
    request: id => `Request ${id}`,
  },
)

function kindOf(error: unknown) {
  if (!(error instanceof RelanceError) || error.status === 0) return 'away'
  // A user cannot tell a company without access from one that does not exist.
  if (error.status === 404 || error.details.some(({ code }) => code === 'not_a_member')) return 'notFound'
  if (error.status === 403) return 'refused'
  return error.status < 500 && error.status !== 429 ? 'invalid' : 'other'
}

/** Why a screen cannot be shown, what to do, and the number of the request for the support. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const text = useWords(words)
  const kind = kindOf(error)
  // The frame shows the sign-in notice.
  if (error instanceof RelanceError && error.status === 401) return null
  const requestId = error instanceof RelanceError ? error.requestId : null
  return (
    <div role="alert" className="rounded-sheet border border-alarm bg-alarm-ground p-4 text-ink">
      <p>{text.kinds[kind]}</p>
      {requestId !== null && <p className="mt-1 text-mark text-soft select-all">{text.request(requestId)}</p>}
      {kind !== 'refused' && kind !== 'notFound' && (
        <Button className="mt-3" onClick={onRetry}>
          {text.retry}
        </Button>
      )}
    </div>
  )
}
