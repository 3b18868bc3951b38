import { Menu as Base } from '@base-ui/react/menu'
import { useState } from 'react'
import { defineWords, useWords } from '../lib/language.tsx'
import { buttonClass } from './button.tsx'
import { KeyHint } from './key-hint.tsx'

export interface MenuItem {
  readonly key: string
  readonly words: string
  readonly onChoose: () => void
  /** The keyboard shortcut. */
  readonly shortcut?: string | undefined
  /** Why the item is disabled. */
  readonly obstacle?: string | undefined
}

export interface MenuGroup {
  readonly title: string
  readonly items: readonly MenuItem[]
}

const texts = defineWords(
  { notNow: (count: number) => `Pas possible maintenant (${count})` },
  { notNow: count => `Not possible now (${count})` },
)

interface Props {
  readonly words: string
  /** Instead of the words, which are its name then. */
  readonly sign?: string
  readonly groups: readonly MenuGroup[]
}

/** Open at first: it is mounted when the user opens it. What is not possible is folded at its end, with its causes. */
export function Menu({ words, sign, groups }: Props) {
  const { notNow } = useWords(texts)
  const [isUnfolded, setUnfolded] = useState(false)
  const possible = groups
    .map(group => ({ ...group, items: group.items.filter(({ obstacle }) => obstacle === undefined) }))
    .filter(({ items }) => items.length > 0)
  const impossible = groups.flatMap(({ items }) => items.filter(({ obstacle }) => obstacle !== undefined))
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={buttonClass()} {...(sign !== undefined && { 'aria-label': words })}>
        {sign ?? (
          <>
            {words} <span aria-hidden>▾</span>
          </>
        )}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-30">
          <Base.Popup className="max-h-(--available-height) max-w-[calc(100vw-1rem)] min-w-60 overflow-y-auto rounded-sheet border border-line bg-sheet py-1 text-ink shadow-float">
            {possible.map(group => (
              <Base.Group key={group.title} className="border-line not-first:border-t">
                <Base.GroupLabel className="px-3 pt-2 pb-1 text-mark text-soft">
                  {group.title}
                </Base.GroupLabel>
                {group.items.map(item => (
                  <Item key={item.key} item={item} />
                ))}
              </Base.Group>
            ))}
            {impossible.length > 0 && (
              <div className="border-line not-first:border-t">
                <Base.Item
                  closeOnClick={false}
                  aria-expanded={isUnfolded}
                  onClick={() => setUnfolded(!isUnfolded)}
                  className="min-h-9 cursor-default px-3 py-2 text-body text-soft data-highlighted:bg-calm max-md:min-h-11"
                >
                  {notNow(impossible.length)}
                </Base.Item>
                {isUnfolded && impossible.map(item => <Item key={item.key} item={item} />)}
              </div>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Item({ item: { words, obstacle, shortcut, onChoose } }: { readonly item: MenuItem }) {
  return (
    <Base.Item
      label={words}
      disabled={obstacle !== undefined}
      aria-keyshortcuts={shortcut}
      onClick={onChoose}
      className="min-h-9 cursor-default px-3 py-2 text-body data-disabled:text-soft data-highlighted:bg-calm max-md:min-h-11"
    >
      <span className="flex justify-between gap-4">
        {words}
        {shortcut !== undefined && <KeyHint>{shortcut}</KeyHint>}
      </span>
      {obstacle !== undefined && <span className="block text-mark">{obstacle}</span>}
    </Base.Item>
  )
}
