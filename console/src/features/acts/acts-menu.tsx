import { Suspense, useState } from 'react'
import { useMay } from '../../lib/api.ts'
import { type CommandId, commandOf, useCommand } from '../../lib/commands.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { Subject } from './act-fields.ts'
import { type Act, actsFor, nameOfAct } from './acts.ts'
import { type Group, words } from './words.ts'

// The menu and the dialog are loaded on demand.
const loadMenu = async () => ({ default: (await import('../../ui/menu.tsx')).Menu })
const Menu = lazyPart(loadMenu)
const ActDialog = lazyPart(() => import('./act-dialog.tsx'))
const WriteSheet = lazyPart(() => import('./write-sheet.tsx'))

const shortSign = '⋯'

interface Props {
  readonly subject: Subject
  /** False in the row of a list: the keys belong to the subject of the screen. */
  readonly hasKeys?: boolean
  /** Beside the buttons of what is done most: three dots. */
  readonly isShort?: boolean
}

/** What can be done here: as a menu, by keys, and in the palette. */
export function ActsMenu({ subject, hasKeys = true, isShort = false }: Props) {
  const language = useLanguage()
  const { menu, groups, notNow } = useWords(words)
  const may = useMay()
  const [chosen, setChosen] = useState<Act | null>(null)
  const [hasOpened, setOpened] = useState(false)
  const offered = actsFor(subject, may, language)
  if (offered.length === 0) return null
  const groupKeys = (Object.keys(groups) as Group[]).filter(key =>
    offered.some(({ act }) => act.group === key),
  )
  const closed = (
    <Button
      aria-haspopup="menu"
      aria-expanded={false}
      {...(isShort && { 'aria-label': menu })}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setOpened(true)}
    >
      {isShort ? (
        shortSign
      ) : (
        <>
          {menu} <span aria-hidden>▾</span>
        </>
      )}
    </Button>
  )
  return (
    <>
      {hasOpened ? (
        <Suspense fallback={closed}>
          <Menu
            words={menu}
            {...(isShort && { sign: shortSign })}
            groups={groupKeys.map(key => ({
              title: groups[key],
              items: offered
                .filter(({ act }) => act.group === key)
                .map(({ act, obstacle }) => ({
                  key: act.key,
                  words: nameOfAct(act, language),
                  shortcut: hasKeys ? commandOf(act.command).keys?.[0] : undefined,
                  obstacle,
                  onChoose: () => setChosen(act),
                })),
            }))}
          />
        </Suspense>
      ) : (
        closed
      )}
      {hasKeys &&
        offered.map(({ act, obstacle }) => (
          <ByCommand
            key={act.key}
            id={act.command}
            obstacle={obstacle}
            onRun={() =>
              obstacle === undefined
                ? setChosen(act)
                : showToast({ text: notNow(nameOfAct(act, language), obstacle) })
            }
          />
        ))}
      {chosen && (
        <Suspense>
          {chosen.key === 'message' ? (
            <WriteSheet subject={subject} onClose={() => setChosen(null)} />
          ) : (
            <ActDialog key={chosen.key} act={chosen} subject={subject} onClose={() => setChosen(null)} />
          )}
        </Suspense>
      )}
    </>
  )
}

interface ByCommandProps {
  readonly id: CommandId
  readonly obstacle: string | undefined
  readonly onRun: () => void
}

function ByCommand({ id, obstacle, onRun }: ByCommandProps) {
  useCommand(id, onRun, obstacle)
  return null
}
