import { Link } from '@tanstack/react-router'
import { environments, useMe, usePlace } from '../../lib/api.ts'
import { useWords } from '../../lib/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { windowWords } from './window-words.ts'
import { words } from './words.ts'

/** The companies of the user, each with its two environments. */
export default function PlaceMenu({ onClose }: { readonly onClose: () => void }) {
  const text = useWords(windowWords)
  const frame = useWords(words)
  const place = usePlace()
  return (
    <Dialog title={frame.chooseCompany} isOpen onClose={onClose}>
      <ul className="overflow-y-auto p-2">
        {useMe()?.companies.map(({ id, name, environments: open }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 border-b border-line p-2 last:border-0">
            <span className="min-w-0 flex-1 truncate font-[650]">{name}</span>
            {environments.map(environment => {
              const isHere = id === place.company && environment === place.environment
              const words = frame.environments[environment]
              return open[environment].isOpen ? (
                <Link
                  key={environment}
                  to="/$company/$environment"
                  params={{ company: id, environment }}
                  onClick={onClose}
                  aria-current={isHere ? 'location' : undefined}
                  className={`flex h-9 items-center rounded-control border px-3 hover:bg-calm ${
                    isHere ? 'border-brand bg-calm font-[650] text-brand' : 'border-edge'
                  }`}
                >
                  {words}
                </Link>
              ) : (
                <span key={environment} className="px-3 text-mark text-soft">
                  {words} : {text.notOpen}
                </span>
              )
            })}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
