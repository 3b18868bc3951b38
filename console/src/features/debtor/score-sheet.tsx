import type { RiskScore } from '@relance/sdk'
import { useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { Score } from '../../ui/picture/score.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { words } from './words.ts'

export function ScoreSheet({ score }: { score: RiskScore }) {
  const text = useWords(words)
  const known = useWords(names)
  return (
    <Sheet title={text.score}>
      <Score
        score={score}
        label={text.scoreLabel(score.score, known.risks[score.riskLevel])}
        names={text.criteria}
        heads={[text.criterion, text.points, text.most, text.explanation]}
      />
    </Sheet>
  )
}
