import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../lib/api.ts'
import { type CommandId, commandOf, useCommand } from '../../lib/commands.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { type Act, actsFor, nameOfAct, type Subject } from './acts.ts'
import { type Group, words } from './words.ts'

// Layers, focus and pictures come after the screen itself is drawn.
const Menu = lazy(async () => ({ default: (await import('../../ui/menu.tsx')).Menu }))
const ActDialog = lazy(() => import('./act-dialog.tsx'))

interface Props {
  readonly subject: Subject
  /** False in the row of a list: the keys belong to what the screen is about. */
  readonly hasKeys?: boolean
}

/** What can be done here: as a menu, by keys, and in the palette. */
export function ActsMenu({ subject, hasKeys = true }: Props) {
  const language = useLanguage()
  const { menu, groups } = useWords(words)
  const may = useMay()
  const [chosen, setChosen] = useState<Act | null>(null)
  const offered = actsFor(subject, may)
  if (offered.length === 0) return null
  const groupKeys = (Object.keys(groups) as Group[]).filter(key => offered.some(({ group }) => group === key))
  return (
    <>
      <Suspense fallback={<Button disabled>{menu} ▾</Button>}>
        <Menu
          words={menu}
          groups={groupKeys.map(key => ({
            title: groups[key],
            items: offered
              .filter(({ group }) => group === key)
              .map(act => ({
                key: act.key,
                words: nameOfAct(act, language),
                shortcut: hasKeys ? commandOf(act.command).keys?.[0] : undefined,
                onChoose: () => setChosen(act),
              })),
          }))}
        />
      </Suspense>
      {hasKeys &&
        offered.map(act => <ByCommand key={act.key} id={act.command} onRun={() => setChosen(act)} />)}
      {chosen && (
        <Suspense>
          <ActDialog key={chosen.key} act={chosen} subject={subject} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  )
}

function ByCommand({ id, onRun }: { readonly id: CommandId; readonly onRun: () => void }) {
  useCommand(id, onRun)
  return null
}
