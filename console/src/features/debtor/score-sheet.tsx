import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Button } from '../../ui/button.tsx'
import { Score } from '../../ui/picture/score.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { scoreQuery } from './queries.ts'
import { words } from './words.ts'

/** The score is read when it is asked for: the screen itself makes four requests. */
export function ScoreSheet({ id }: { id: string }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({ ...scoreQuery(useApi(), id, language), enabled: isOpen })
  return (
    <Sheet title={text.score}>
      {data ? (
        <Score
          score={data}
          label={text.scoreLabel(data.score, known.risks[data.riskLevel])}
          names={text.criteria}
          heads={[text.criterion, text.points, text.most, text.explanation]}
        />
      ) : (
        <div className={isOpen ? 'min-h-[26rem]' : ''} aria-busy={isOpen}>
          <Button onClick={() => setOpen(true)} disabled={isOpen}>
            {text.showScore}
          </Button>
        </div>
      )}
    </Sheet>
  )
}
