/** The parts of a keyboard event that say which key it was. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** These need Shift on one layout and not on another: what they write says which key it was. */
const signs = ['/', '?']

/**
 * The name of a key on every layout: a letter by what it writes, a digit by where it is, since without Shift a French keyboard
 * writes `&é"'(` there. Null for what is no key of ours.
 */
export function keyOf({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Pressed): string | null {
  // AltGr, with which a French keyboard writes @ and #, is Ctrl and Alt on Windows.
  if (altKey) return null
  if (ctrlKey || metaKey) return /^[a-z]$/i.test(key) && !shiftKey ? `mod+${key.toLowerCase()}` : null
  if (signs.includes(key)) return key
  if (shiftKey) return null
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit) return digit
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : null
}

/** Whether it has to be switched off for who dictates: it is written by a key alone. */
export const isSingle = (keys: string): boolean => !keys.startsWith('mod+')

// No expression: one that ignores case takes 10 ms the first time.
const isApple = () => ['Mac', 'iPhone', 'iPad'].some(name => navigator.userAgent.includes(name))

/** As it stands beside a command: `⌘K`, `g a`. */
export const shownKeys = (keys: string): string =>
  keys.startsWith('mod+') ? `${isApple() ? '⌘' : 'Ctrl '}${keys.slice(4).toUpperCase()}` : keys

/** The same for `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string =>
  keys.startsWith('mod+') ? `${isApple() ? 'Meta' : 'Control'}+${keys.slice(4)}` : keys

const whereLettersType =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** Inside a field a letter is written; in a menu it looks for an entry. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(whereLettersType) !== null
