import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useApi, usePlace } from '../../lib/api.ts'
import { runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { money } from '../../lib/format.ts'
import { shownKeys } from '../../lib/keys.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { isMatch } from './is-match.ts'
import { windowWords } from './window-words.ts'
import { words } from './words.ts'

interface Choice {
  readonly key: string
  readonly title: string
  readonly about?: string | undefined
  readonly shortcut?: string | undefined
  /** It is shown with its cause, and cannot be chosen. */
  readonly isDisabled?: boolean
  readonly choose: () => void
}

interface Section {
  readonly title: string
  readonly choices: readonly Choice[]
}

/** Debounce: no request for every letter. */
const pauseMs = 120
const lettersMin = 2

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function useFound(typed: string) {
  const api = useApi()
  const q = useSettled(typed.trim())
  const isEnough = q.length >= lettersMin
  const { data, isError, isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.search.find({ q }, { signal }),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  })
  return {
    found: isEnough ? data : undefined,
    isError,
    isWaiting: isEnough && (isFetching || q !== typed.trim()),
  }
}

function useSections(typed: string): { sections: readonly Section[]; isError: boolean; isWaiting: boolean } {
  const text = useWords(windowWords)
  const language = useLanguage()
  const navigate = useNavigate()
  const { company, environment } = usePlace()
  const offered = useOfferedCommands()
  const { found, isError, isWaiting } = useFound(typed)
  const commands = offered
    .filter(({ id, fr, en }) => id !== 'palette' && isMatch(typed, language === 'fr' ? fr : en))
    .map(command => ({
      key: command.id,
      title: command[language],
      about: command.obstacle ?? text.groups[command.group],
      isDisabled: command.obstacle !== undefined,
      shortcut: command.keys?.[0],
      choose: () => runCommand(command.id),
    }))
  const debtors = (found?.debtors ?? []).map(({ id, name, city, siret, email }) => ({
    key: id,
    title: name,
    about: [city, siret ?? email].filter(Boolean).join(' · '),
    choose: () =>
      void navigate({ to: '/$company/$environment/debtors/$id', params: { company, environment, id } }),
  }))
  const invoices = (found?.invoices ?? []).map(
    ({ id, invoiceNumber, debtorName, amountCents, currency }) => ({
      key: id,
      title: invoiceNumber,
      about: `${debtorName} · ${money(amountCents, currency, language)}`,
      choose: () =>
        void navigate({ to: '/$company/$environment/invoices/$id', params: { company, environment, id } }),
    }),
  )
  const sections = [
    { title: text.debtors, choices: debtors },
    { title: text.invoices, choices: invoices },
    { title: text.commands, choices: commands },
  ]
  return { sections: sections.filter(({ choices }) => choices.length > 0), isError, isWaiting }
}

interface Props {
  /** Kept by the frame, which takes the first letters while this file is loaded. */
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onClose: () => void
}

/** One field for everything: finds debtors, invoices and commands, and opens or runs what is chosen. */
export default function Palette({ typed, onType, onClose }: Props) {
  const text = useWords(windowWords)
  const frame = useWords(words)
  const [index, setIndex] = useState(0)
  const { sections, isError, isWaiting } = useSections(typed)
  const list = useId()
  const shown = useRef<HTMLDivElement>(null)
  const choices = sections.flatMap(section => section.choices)
  const chosen = choices[Math.min(index, choices.length - 1)]
  const idOf = ({ key }: Choice) => `${list}${key}`
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' })
  })

  const take = (choice: Choice | undefined) => {
    if (!choice || choice.isDisabled) return
    onClose()
    choice.choose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + 8,
      PageUp: index - 8,
    }
    const next = steps[event.key]
    if (next !== undefined) setIndex(Math.max(0, Math.min(choices.length - 1, next)))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(chosen)
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root open onOpenChange={isOpen => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Dialog.Popup
          aria-label={frame.searchOrAct}
          // The frame gives the focus back: at its opening this window takes its own field for what had it before.
          finalFocus={false}
          className="fixed top-0 left-1/2 z-50 flex max-h-dvh w-full max-w-[40rem] -translate-x-1/2 flex-col overflow-hidden border border-line bg-sheet text-ink shadow-float max-md:h-dvh md:top-[12vh] md:max-h-[70vh] md:rounded-sheet"
        >
          <div className="flex items-center border-b border-line">
            <input
              // biome-ignore lint/a11y/noAutofocus: the window is opened to type
              autoFocus
              role="combobox"
              aria-label={frame.searchOrAct}
              aria-expanded={choices.length > 0}
              aria-controls={list}
              aria-activedescendant={chosen && idOf(chosen)}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              placeholder={text.placeholder}
              value={typed}
              onChange={event => {
                onType(event.target.value)
                setIndex(0)
              }}
              onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
              onKeyDown={onKeyDown}
              className="h-12 min-w-0 flex-1 bg-transparent px-4 text-section outline-none placeholder:text-soft"
            />
            <Dialog.Close className="mr-2 h-8 rounded-control px-2 text-soft hover:bg-calm">
              <KeyHint>Esc</KeyHint>
              <span className="sr-only">{text.close}</span>
            </Dialog.Close>
          </div>
          <div
            id={list}
            role="listbox"
            aria-label={frame.searchOrAct}
            className="min-h-0 overflow-y-auto py-1"
          >
            {sections.map(section => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={section.title} role="group" aria-label={section.title}>
                <div role="presentation" className="px-4 pt-2 pb-1 text-mark text-soft">
                  {section.title}
                </div>
                {section.choices.map(choice => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
                  <div
                    key={choice.key}
                    id={idOf(choice)}
                    ref={choice === chosen ? shown : null}
                    role="option"
                    tabIndex={-1}
                    aria-selected={choice === chosen}
                    aria-disabled={choice.isDisabled}
                    onClick={() => take(choice)}
                    className="mx-1 flex min-h-9 cursor-default items-center gap-3 rounded-control px-3 hover:bg-calm aria-disabled:text-soft aria-selected:bg-calm aria-selected:outline-1 aria-selected:outline-brand max-md:min-h-11"
                  >
                    <span className="min-w-0 truncate">{choice.title}</span>
                    <span className="min-w-0 flex-1 truncate text-right text-mark text-soft">
                      {choice.about}
                    </span>
                    {choice.shortcut !== undefined && <KeyHint>{shownKeys(choice.shortcut)}</KeyHint>}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <p role="status" className="border-t border-line px-4 py-2 text-mark text-soft">
            {isError
              ? text.searchFailed
              : choices.length === 0 && !isWaiting
                ? text.nothing
                : text.results(choices.length)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
