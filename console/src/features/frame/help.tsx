import { type Command, commands, groups, useOfferedCommands } from '../../lib/commands.ts'
import { shownKeys } from '../../lib/keys.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { changePreferences, usePreferences } from '../../lib/preferences.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { words } from './words.ts'

/** Every key of the console, of this page or not. */
export default function Help({ onClose }: { readonly onClose: () => void }) {
  const text = useWords(words)
  const language = useLanguage()
  const { hasLetters } = usePreferences()
  const offered = useOfferedCommands()
  const withKeys = (commands as readonly Command[]).filter(({ keys }) => keys !== undefined)
  return (
    <Dialog title={text.allKeys} about={text.keysAbout} isOpen onClose={onClose}>
      <div className="overflow-y-auto p-4">
        {groups.map(group => {
          const ofGroup = withKeys.filter(command => command.group === group)
          if (ofGroup.length === 0) return null
          return (
            <section key={group} className="mb-4">
              <h3 className="text-head text-soft">{text.groups[group]}</h3>
              <dl>
                {ofGroup.map(command => (
                  <div
                    key={command.id}
                    className={`flex min-h-8 items-center justify-between border-t border-line ${
                      offered.some(({ id }) => id === command.id) ? '' : 'text-soft'
                    }`}
                  >
                    <dt>{command[language]}</dt>
                    <dd className="flex gap-2">
                      {command.keys?.map(keys => (
                        <kbd key={keys} className="rounded-bar border border-edge px-1.5 font-mono text-mark">
                          {shownKeys(keys)}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
        <label className="flex min-h-9 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-brand"
            checked={hasLetters}
            onChange={event => changePreferences({ hasLetters: event.target.checked })}
          />
          {text.letters}
        </label>
      </div>
    </Dialog>
  )
}
