import { useEffect, useEffectEvent } from 'react'
import { type OfferedCommand, runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { isSingle, isTyping, keyOf } from '../../lib/keys.ts'
import { usePreferences } from '../../lib/preferences.ts'

/** The second of two keys must follow within this time. */
const pairMs = 1_500

/** Runs the commands offered on this page by their keys. */
export function useKeys(): void {
  const offered = useOfferedCommands()
  const { hasLetters } = usePreferences()
  const onKey = useEffectEvent((event: KeyboardEvent, before: string | null) => {
    const key = keyOf(event)
    if (key === null || event.defaultPrevented || event.isComposing) return null
    if (isSingle(key) && (!hasLetters || isTyping(event.target))) return null
    const find = (keys: string): OfferedCommand | undefined =>
      offered.find(command => command.keys?.includes(keys))
    const found = (before !== null && find(`${before} ${key}`)) || find(key)
    if (!found) return key
    event.preventDefault()
    runCommand(found.id)
    return null
  })
  useEffect(() => {
    let before: { key: string; at: number } | null = null
    const listen = (event: KeyboardEvent) => {
      const recent = before && event.timeStamp - before.at < pairMs ? before.key : null
      const key = onKey(event, recent)
      before = key === null ? null : { key, at: event.timeStamp }
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
