import { playSamplePortfolio, sampleStages } from '@relance/sdk/sample-portfolio'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { sampleWords } from './words.ts'

/** In a sandbox: clients in every state, played through the API in front of the user. What was there before is deleted. */
export default function SampleOffer({
  isEmpty,
  onFilling,
}: {
  readonly isEmpty: boolean
  readonly onFilling: (isFilling: boolean) => void
}) {
  const text = useWords(sampleWords)
  const api = useApi()
  const queries = useQueryClient()
  const [stage, setStage] = useState(0)
  const filling = useMutation({
    async mutationFn(isEmptied: boolean) {
      if (isEmptied) await api.sandbox.reset()
      await playSamplePortfolio(api, setStage)
    },
    onMutate: () => onFilling(true),
    async onSuccess() {
      await queries.invalidateQueries()
      onFilling(false)
    },
  })
  if (filling.error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72 text-alarm">{text.interrupted}</p>
        <Button onClick={() => filling.mutate(true)}>{text.again}</Button>
      </div>
    )
  if (filling.isPending)
    return (
      <label className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <progress max={sampleStages} value={stage} className="h-2 w-48 accent-brand" />
        <span role="status">{text.playing(stage + 1, sampleStages)}</span>
      </label>
    )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-72">
        {text.offer} {!isEmpty && text.deletes}
      </p>
      <Button tone="brand" onClick={() => filling.mutate(!isEmpty)}>
        {isEmpty ? text.fill : text.empty}
      </Button>
    </div>
  )
}
