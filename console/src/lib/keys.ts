/** The parts of a keyboard event that identify the key. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** These need Shift on some layouts only, so they are identified by the character. */
const signs = ['/', '?']

/**
 * The name of a key on every layout: a letter by its character, a digit by its position, since without Shift a French keyboard
 * writes `&é"'(` there. Null for keys that the console does not use.
 */
export function keyOf({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Pressed): string | null {
  // AltGr, with which a French keyboard writes @ and #, is Ctrl and Alt on Windows.
  if (altKey) return null
  if (ctrlKey || metaKey)
    return !shiftKey && (key === 'Enter' || /^[a-z]$/i.test(key)) ? `mod+${key.toLowerCase()}` : null
  if (signs.includes(key)) return key
  if (shiftKey) return null
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit) return digit
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : null
}

/** Whether the shortcut has no modifier. Users of speech input can switch such shortcuts off. */
export const isSingle = (keys: string): boolean => !keys.startsWith('mod+')

// No regular expression: the first use of a case-insensitive one is slow.
const isApple = () => ['Mac', 'iPhone', 'iPad'].some(name => navigator.userAgent.includes(name))

/** The keys as shown next to a command: `⌘K`, `g a`. */
export const shownKeys = (keys: string): string => {
  if (!keys.startsWith('mod+')) return keys
  const key = keys.slice('mod+'.length)
  return `${isApple() ? '⌘' : 'Ctrl '}${key === 'enter' ? '↵' : key.toUpperCase()}`
}

/** The same for `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string =>
  keys.startsWith('mod+') ? `${isApple() ? 'Meta' : 'Control'}+${keys.slice(4)}` : keys

const whereLettersType =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** In a field a letter is input; in a menu it searches for an entry. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(whereLettersType) !== null
