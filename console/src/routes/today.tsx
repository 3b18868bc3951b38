import { useQuery } from '@tanstack/react-query'
import { todayQuery, useApi } from '../lib/api.ts'
import { count, day } from '../lib/format.ts'
import { defineWords, useLanguage, useWords } from '../lib/language.tsx'

const words = defineWords(
  {
    title: (date: string) => `Aujourd’hui, ${date}`,
    planned: (messages: string) => `Messages prévus : ${messages}`,
  },
  {
    title: (date: string) => `Today, ${date}`,
    planned: (messages: string) => `Messages planned: ${messages}`,
  },
)

export default function Today() {
  const text = useWords(words)
  const language = useLanguage()
  const { data } = useQuery(todayQuery(useApi()))
  if (!data) return null
  const planned = data.slots.reduce((sum, slot) => sum + slot.planned, 0)
  return (
    <>
      <h1 className="text-screen font-semibold">{text.title(day(data.date, language))}</h1>
      <p>{text.planned(count(planned, language))}</p>
    </>
  )
}
