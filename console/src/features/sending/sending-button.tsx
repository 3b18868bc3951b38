import { runCommand, useOfferedCommands } from '../../lib/commands.ts'
import { useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { actWords } from './question.ts'

/** Stop or resume, whichever is possible now; nothing without the permission. */
export function SendingButton() {
  const text = useWords(actWords)
  const offered = useOfferedCommands()
  const isOffered = (id: 'stop-sending' | 'resume-sending') => offered.some(command => command.id === id)
  if (isOffered('resume-sending'))
    return (
      <Button tone="brand" onClick={() => runCommand('resume-sending')}>
        {text.resume}
      </Button>
    )
  if (isOffered('stop-sending'))
    return (
      <Button tone="alarm" onClick={() => runCommand('stop-sending')}>
        {text.stop}
      </Button>
    )
  return null
}
