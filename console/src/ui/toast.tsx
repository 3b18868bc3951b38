import { useEffect, useState, useSyncExternalStore } from 'react'
import { useCommand } from '../lib/commands.ts'
import { defineWords, useWords } from '../lib/language.tsx'
import { Button } from './button.tsx'
import { KeyHint } from './key-hint.tsx'

const words = defineWords(
  {
    undo: 'Annuler',
    nothing: 'Il n’y a plus rien à annuler.',
    close: 'Fermer ce message',
    region: 'Messages',
  },
  {
    undo: 'Undo',
    nothing: 'There is nothing left to undo.',
    close: 'Close this message',
    region: 'Messages',
  },
)

interface Toast {
  readonly text: string
  readonly tone?: 'plain' | 'alarm'
  /** Undoes the act. */
  readonly undo?: (() => void) | undefined
}

interface ShownToast extends Toast {
  readonly id: number
}

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const change = (next: readonly ShownToast[]) => {
  shown = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a message. At most three are shown, the newest at the bottom. */
export function showToast(toast: Toast): number {
  const id = ++lastId
  change([...shown, { ...toast, id }].slice(-3))
  return id
}

export const isShown = (id: number): boolean => shown.some(toast => toast.id === id)

/** Replaces a message that is still shown; otherwise shows a new one. */
export function replaceToast(id: number, toast: Toast): void {
  if (isShown(id)) change(shown.map(other => (other.id === id ? { ...toast, id } : other)))
  else showToast(toast)
}

export const closeToast = (id: number) => change(shown.filter(toast => toast.id !== id))

/** For the undo key: undoes the newest act whose message is still shown, or says that there is none. */
function undoNewest(nothing: string): void {
  const newest = shown.findLast(toast => toast.undo !== undefined)
  if (!newest) return void showToast({ text: nothing })
  closeToast(newest.id)
  newest.undo?.()
}

/** How long a message stays while the pointer is not on it; with undo it stays longer. */
const stayMs = { plain: 6_000, undo: 15_000 }

/** The place of the messages, once in the whole page. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  const { region, nothing } = useWords(words)
  const [isHeld, setHeld] = useState(false)
  useCommand('undo', () => undoNewest(nothing))
  return (
    <section
      aria-label={region}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-end gap-2 max-md:bottom-18"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map(toast => (
        <Message key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </section>
  )
}

function Message({ toast, isHeld }: { readonly toast: ShownToast; readonly isHeld: boolean }) {
  const { undo, close } = useWords(words)
  useEffect(() => {
    if (isHeld || toast.tone === 'alarm') return
    const timer = setTimeout(() => closeToast(toast.id), toast.undo ? stayMs.undo : stayMs.plain)
    return () => clearTimeout(timer)
  }, [toast, isHeld])
  return (
    <div
      className={`pointer-events-auto flex max-w-md items-center gap-3 rounded-sheet border bg-sheet py-2 pr-2 pl-4 text-ink shadow-float ${
        toast.tone === 'alarm' ? 'border-alarm' : 'border-line'
      }`}
    >
      <p className="min-w-0 break-words">{toast.text}</p>
      {toast.undo && (
        <Button
          aria-keyshortcuts="u"
          className="shrink-0"
          onClick={() => {
            closeToast(toast.id)
            toast.undo?.()
          }}
        >
          {undo} <KeyHint>u</KeyHint>
        </Button>
      )}
      <Button tone="quiet" className="shrink-0" aria-label={close} onClick={() => closeToast(toast.id)}>
        <span aria-hidden>✕</span>
      </Button>
    </div>
  )
}
