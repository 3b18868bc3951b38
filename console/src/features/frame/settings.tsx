import type { ReactNode } from 'react'
import { useMe } from '../../lib/api.ts'
import { runCommand } from '../../lib/commands.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { changePreferences, themes, usePreferences } from '../../lib/preferences.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { languageNames, windowWords } from './window-words.ts'
import { words } from './words.ts'

interface ChoiceProps {
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

function Choice({ name, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2">
      <input
        type="radio"
        name={name}
        className="size-4 accent-brand"
        checked={isChosen}
        onChange={onChoose}
      />
      {children}
    </label>
  )
}

/** The signed-in user, their preferences, and sign-out. */
export default function Settings({ onClose }: { readonly onClose: () => void }) {
  const text = useWords(windowWords)
  const frame = useWords(words)
  const language = useLanguage()
  const { theme, hasLetters } = usePreferences()
  const me = useMe()
  return (
    <Dialog title={me?.person.name ?? frame.you} about={me?.person.email} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4 overflow-y-auto p-4">
        <fieldset>
          <legend className="text-head text-soft">{text.theme}</legend>
          <div className="flex flex-wrap gap-x-6">
            {themes.map(one => (
              <Choice
                key={one}
                name="theme"
                isChosen={one === theme}
                onChoose={() => changePreferences({ theme: one })}
              >
                {text.themes[one]}
              </Choice>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend className="text-head text-soft">{text.language}</legend>
          <div className="flex flex-wrap gap-x-6">
            {(['fr', 'en'] as const).map(one => (
              <Choice
                key={one}
                name="language"
                isChosen={one === language}
                onChoose={() => changePreferences({ language: one })}
              >
                <span lang={one}>{languageNames[one]}</span>
              </Choice>
            ))}
          </div>
        </fieldset>
        <label className="flex min-h-9 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-brand"
            checked={hasLetters}
            onChange={event => changePreferences({ hasLetters: event.target.checked })}
          />
          {text.letters}
        </label>
        <div className="flex flex-wrap gap-2">
          <button type="button" className={buttonClass()} onClick={() => runCommand('help')}>
            {text.allKeys}
          </button>
          <a href="/account" className={buttonClass()}>
            {text.account}
          </a>
          <a href={`/legal?lang=${language}`} className={buttonClass()}>
            {text.legal}
          </a>
          <form method="post" action="/sign-out">
            <input type="hidden" name="csrf" value={me?.csrf ?? ''} />
            <button type="submit" className={buttonClass()}>
              {text.signOut}
            </button>
          </form>
        </div>
      </div>
    </Dialog>
  )
}
