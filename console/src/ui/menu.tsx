import { Menu as Base } from '@base-ui/react/menu'
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

interface Props {
  readonly words: string
  readonly groups: readonly MenuGroup[]
}

/** Open at first: it is mounted when the user opens it. */
export function Menu({ words, groups }: Props) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={buttonClass()}>
        {words} <span aria-hidden>▾</span>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-30">
          <Base.Popup className="max-h-(--available-height) max-w-[calc(100vw-1rem)] min-w-60 overflow-y-auto rounded-sheet border border-line bg-sheet py-1 text-ink shadow-float">
            {groups.map(group => (
              <Base.Group key={group.title} className="border-line not-first:border-t">
                <Base.GroupLabel className="px-3 pt-2 pb-1 text-mark text-soft">
                  {group.title}
                </Base.GroupLabel>
                {group.items.map(item => (
                  <Base.Item
                    key={item.key}
                    label={item.words}
                    disabled={item.obstacle !== undefined}
                    aria-keyshortcuts={item.shortcut}
                    onClick={item.onChoose}
                    className="min-h-9 cursor-default px-3 py-2 text-body data-disabled:text-soft data-highlighted:bg-calm max-md:min-h-11"
                  >
                    <span className="flex justify-between gap-4">
                      {item.words}
                      {item.shortcut !== undefined && <KeyHint>{item.shortcut}</KeyHint>}
                    </span>
                    {item.obstacle !== undefined && <span className="block text-mark">{item.obstacle}</span>}
                  </Base.Item>
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
