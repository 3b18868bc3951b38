import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { defineWords, useWords } from '../lib/language.tsx'

const words = defineWords({ close: 'Fermer' }, { close: 'Close' })

interface Props {
  readonly title: string
  /** One sentence under the title. */
  readonly about?: string | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
  /** What has the focus first; otherwise the first control. */
  readonly firstFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A window over the screen; on a phone it is the whole screen. Esc closes it. */
export function Dialog({ title, about, isOpen, onClose, firstFocus, children }: Props) {
  const { close } = useWords(words)
  return (
    <Base.Root open={isOpen} onOpenChange={open => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Base.Popup
          {...(firstFocus && { initialFocus: firstFocus })}
          className="fixed top-0 left-1/2 z-50 flex max-h-dvh w-full max-w-[42.5rem] -translate-x-1/2 flex-col overflow-hidden border border-line bg-sheet text-ink shadow-float max-md:h-dvh md:top-[8vh] md:max-h-[84vh] md:rounded-sheet"
        >
          <header className="flex items-start justify-between gap-4 border-b border-line px-4 py-3">
            <div className="min-w-0">
              <Base.Title className="text-section font-[650]">{title}</Base.Title>
              {about !== undefined && (
                <Base.Description className="break-words text-soft">{about}</Base.Description>
              )}
            </div>
            <Base.Close aria-label={close} className="size-8 shrink-0 rounded-control hover:bg-calm">
              <span aria-hidden>✕</span>
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
