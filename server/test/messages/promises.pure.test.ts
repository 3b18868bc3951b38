import { describe, expect, it } from 'vitest'
import { testHolds } from '../guards/test-words.ts'
import { noPromises, soundsLikePromise } from './promise-like.ts'
import { type Promised, promises } from './promises.ts'
import { sentencesOf, type WordsFile, wordsToPeople } from './words-to-people.ts'

const sources = wordsToPeople()
const stringsOf = (path: string) => sources.find(file => file.path === path)?.strings ?? []

/** Where the same is said in the other language: a twin, or the same file. */
const twinOf = (path: string) =>
  path.includes('french') ? path.replace('french', 'english') : path.replace('english', 'french')

function faultsOf({ said, keptBy }: Promised): string[] {
  const unsaid = Object.entries(said).flatMap(([path, words]) =>
    words
      .filter(one => !stringsOf(path).some(text => text.includes(one)))
      .map(one => `${path} does not say “${one}”`),
  )
  const untwinned = Object.keys(said)
    .filter(path => !(twinOf(path) in said))
    .map(path => `what does ${twinOf(path)} say?`)
  const unseen = keptBy
    .filter(([path, title]) => !path.endsWith('.test.ts') || !testHolds(path, title))
    .map(([path, title]) => `${path} has no test “${title}”`)
  return [...unsaid, ...untwinned, ...unseen, ...(keptBy.length === 0 ? ['nothing sees it kept'] : [])]
}

const isPromised = (path: string, sentence: string) =>
  promises.some(({ said }) => said[path]?.some(words => sentence.includes(words)))
const isNone = (sentence: string) => noPromises.some(({ words }) => words.some(one => one.test(sentence)))

/** The sentences that sound like a promise, and of which nobody has said what they are. */
const unexplained = (file: WordsFile): string[] =>
  sentencesOf(file)
    .filter(sentence => soundsLikePromise(sentence) && !isPromised(file.path, sentence) && !isNone(sentence))
    .map(sentence => `${file.path}: ${sentence}`)

describe.each(promises)('$promise', one => {
  it('is said in these words, and a test waits and sees it kept', () => {
    expect(faultsOf(one)).toEqual([])
  })
})

it('every sentence that sounds like a promise is one of them, or is known to be none', () => {
  expect(sources.flatMap(unexplained)).toEqual([])
})

it.each(noPromises)('nothing is excused that nobody says: it $does', ({ words }) => {
  const like = sources.flatMap(sentencesOf).filter(soundsLikePromise)
  expect(words.filter(one => !like.some(sentence => one.test(sentence)))).toEqual([])
})

it('a new promise is found, in both languages and in every source of words', () => {
  const path = 'console/src/lib/names.ts'
  for (const said of [
    'Vous recevrez un reçu sous deux jours.',
    'Nous ne vous relançons plus pour cette facture.',
    'Le créancier vous rappellera.',
    'Nous vous écrirons dès que le paiement sera arrivé.',
    'You will get a receipt.',
    'We no longer remind you of this invoice.',
    'The reminders wait until Monday.',
    'We answer within two days.',
  ])
    expect(unexplained({ path, strings: [said] })).toEqual([`${path}: ${said}`])
  expect(unexplained({ path, strings: ['La facture est payée.', 'The invoice is paid.'] })).toEqual([])
})

it('a promise that is not said, or that nothing sees kept, is found', () => {
  const [good] = promises
  const gone: readonly Partial<Promised>[] = [
    { said: { [twinOf(Object.keys(good!.said)[0]!)]: ['We call you every day.'] } },
    { keptBy: [] },
    { keptBy: [['server/test/messages/promises.pure.test.ts', `a title ${'that is'} nowhere`]] },
    { keptBy: [['server/test/messages/promises.ts', 'says it only where nothing follows']] },
  ]
  for (const change of gone) expect(faultsOf({ ...good!, ...change })).not.toEqual([])
})
