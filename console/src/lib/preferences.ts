import { useSyncExternalStore } from 'react'
import type { Language } from './language.tsx'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What a person chose in this browser. */
export interface Preferences {
  readonly theme: Theme
  /** Null: the language of the account. */
  readonly language: Language | null
  /** Whether single letters are shortcuts; speech input triggers them by accident. */
  readonly hasLetters: boolean
  readonly isRailFolded: boolean
}

const key = 'relance.preferences'
const usual: Preferences = { theme: 'system', language: null, hasLetters: true, isRailFolded: false }

function stored(): Preferences {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return usual
  }
}

let current = stored()
const listeners = new Set<() => void>()

function apply(next: Preferences): void {
  current = next
  if (next.theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next.theme
  for (const listener of listeners) listener()
}

/** Called before anything is drawn. Later changes in other tabs apply here too. */
export function startPreferences(): void {
  const asked = new URLSearchParams(window.location.search).get('lang')
  apply(current)
  if (asked === 'fr' || asked === 'en') changePreferences({ language: asked })
  window.addEventListener('storage', event => event.key === key && apply(stored()))
}

export function changePreferences(changes: Partial<Preferences>): void {
  apply({ ...current, ...changes })
  localStorage.setItem(key, JSON.stringify(current))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => current)
