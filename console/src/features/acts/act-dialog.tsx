import { useRef, useState } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Subject, Values } from './act-fields.ts'
import ActForm from './act-form.tsx'
import { type Act, nameOfAct } from './acts.ts'
import { words } from './words.ts'

interface Props {
  readonly act: Act
  readonly subject: Subject
  /** Initial field values, in addition to the defaults of the act. */
  readonly given?: Values
  readonly onClose: () => void
}

/** The form of an act in a window over the screen. */
export default function ActDialog({ act, subject, given, onClose }: Props) {
  const language = useLanguage()
  const text = useWords(words)
  const [hasClosed, setClosed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const done = () => {
    setClosed(true)
    onClose()
  }
  return (
    <Dialog
      title={`${nameOfAct(act, language)} · ${subject.name}`}
      about={text.acts[act.key].about}
      isOpen={!hasClosed}
      onClose={onClose}
      {...(act.isStop && { firstFocus: button })}
    >
      <ActForm act={act} subject={subject} given={given} onDone={done} onLeave={onClose} button={button} />
    </Dialog>
  )
}
