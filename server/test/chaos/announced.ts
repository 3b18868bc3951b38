import { parseArgs } from 'node:util'
import { addDays, DAY, instantOf, type LocalDate, MINUTE } from '../../src/domain/time.ts'
import { type HappenedLine, sandboxClient } from './announced-client.ts'
import { compareSurfaces, shownMoment } from './announced-compare.ts'
import {
  duringTheDay,
  type Fact,
  factBetween,
  knownBeforehand,
  letFactsHappen,
  ofOtherRecords,
  stopOrResume,
} from './announced-facts.ts'
import { type Announcement, announcementsOf, judgeAnnouncement } from './announced-judge.ts'
import { isAnswer, isTaken, type LeftMessage, readWhatLeft } from './announced-left.ts'
import {
  companyZone,
  daysAhead,
  type Notes,
  type PageLink,
  saidByList,
  takeNotes,
} from './announced-notes.ts'
import { fillCompany, type ProvedCompany, type ProvedDebtor, profiles } from './announced-portfolio.ts'
import { judgeSlots, slotKey, slotOf } from './announced-slots.ts'
import { newTally, percent, type Tally } from './announced-tally.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { type Random, randomFrom } from './random.ts'

const eight = 8 * 60
/** Nobody may be contacted at this hour, in any place of the portfolio: everything is imported before the first message leaves. */
const four = 4 * 60

/**
 * What the product announces is what it does: each morning every surface is noted, then the day passes, and what left is compared
 * with what was said. Without `--facts` nothing happens between the notes and the next morning.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      debtors: { type: 'string', default: '1000' },
      days: { type: 'string', default: '60' },
      sample: { type: 'string', default: '100' },
      start: { type: 'string', default: '2026-10-05' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      facts: { type: 'boolean', default: false },
      examples: { type: 'string', default: '10' },
    },
  })
  const { start, seed } = values
  const [debtors, days, sample] = [Number(values.debtors), Number(values.days), Number(values.sample)]
  console.log(
    `announced: ${debtors} debtors, ${days} days from ${start}, seed ${seed}${values.facts ? ', with new facts during the days' : ''}`,
  )
  const installation = await startChaosInstallation({
    // Starting a process takes longer than a small portfolio needs it.
    apis: debtors < 100 ? 1 : 2,
    workers: debtors < 100 ? 1 : 2,
    leaseMs: 60_000,
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    now: instantOf(companyZone, start, four),
  })
  const before = findings.counts().failed
  const tally = newTally()
  try {
    const companies = await fillCompanies(installation, debtors, start, Number(seed))
    await Promise.all(
      companies.map((company, i) =>
        playCompany(company, {
          tally,
          days,
          start,
          sample: Math.ceil(sample / companies.length),
          random: randomFrom(Number(seed) * 31 + i),
          hasFacts: values.facts,
          // One company stops everything now and then.
          stops: i === companies.length - 1,
          logsProgress: i === 0,
        }),
      ),
    )
    tally.print(Number(values.examples))
    judge(findings, tally)
    findings.check(
      'no process ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

function fillCompanies(
  installation: ChaosInstallation,
  debtors: number,
  start: LocalDate,
  seed: number,
): Promise<ProvedCompany[]> {
  return Promise.all(
    profiles.map(async (profile, i) => {
      const { sandboxKey } = await installation.newCompany(`Atelier ${i + 1}`)
      const client = sandboxClient(installation.apiUrls, sandboxKey)
      const share = Math.floor(debtors / profiles.length) + (i < debtors % profiles.length ? 1 : 0)
      const random = randomFrom(seed + i * 7_919)
      return fillCompany(installation, client, profile, { label: `c${i}`, debtors: share, start, random })
    }),
  )
}

interface Played {
  tally: Tally
  days: number
  start: LocalDate
  /** Debtors that are looked at closely each morning. */
  sample: number
  random: Random
  hasFacts: boolean
  stops: boolean
  logsProgress: boolean
}

async function playCompany(company: ProvedCompany, played: Played): Promise<void> {
  const { client } = company
  const { days, start, random, tally } = played
  const facts: Fact[] = []
  const addFacts = (more: readonly Fact[]) => facts.push(...more, ...ofOtherRecords(company, more))
  const links = new Map<string, PageLink>()
  const left = new Map<string, LeftMessage[]>()
  const lines = new Map<string, HappenedLine[]>()
  const announcedBy = new Map<string, Set<string>>()
  let waiting: Announcement[] = []
  let mornings: Notes[] = []
  let readUntil = instantOf(companyZone, start, four)
  for (let dayNumber = 0; dayNumber <= days; dayNumber++) {
    const morning = instantOf(companyZone, addDays(start, dayNumber), eight)
    if (played.logsProgress && dayNumber % 10 === 0) console.log(`day ${dayNumber} of ${days}`)
    for (const line of await client.advanceTo(morning)) {
      const known = lines.get(line.invoiceId)
      if (known) known.push(line)
      else lines.set(line.invoiceId, [line])
    }
    // What is decided before the notes are taken is known to every surface.
    const share = dayNumber === 0 ? 0.25 : 0.01
    if (dayNumber < days) {
      addFacts(await letFactsHappen(company, knownBeforehand, share, random))
      if (played.stops) addFacts(await stopOrResume(company, dayNumber))
    }
    const sampled = dayNumber < days ? random.shuffled(company.debtors).slice(0, played.sample) : []
    const notes = await takeNotes(company, dayNumber, sampled, links)
    const found = await readWhatLeft(company, readUntil, notes.from, links)
    readUntil = notes.from
    for (const message of found) {
      const known = left.get(message.debtorId)
      if (known) known.push(message)
      else left.set(message.debtorId, [message])
      const { at, channel, state, debtorId, id } = message
      if (!isTaken(message)) addFacts([{ at, kind: `${channel} ${state}`, debtorId, messageId: id }])
      // The plan of a record does not know the plans of the other records of the person.
      facts.push(...ofOtherRecords(company, [{ at, kind: 'contact', debtorId }]))
    }
    const yesterday = mornings.at(-1)
    const apart = new Map<string, number>()
    const disturbed = yesterday ? disturbedWhileNoting(yesterday, found) : new Set<string>()
    if (yesterday) {
      compareSurfaces(yesterday, { tally, facts, disturbed })
      waiting.push(...announcementsOf(yesterday).filter(({ debtorId }) => !disturbed.has(debtorId)))
    }
    const passed = { left, facts, lines, after: notes, tally, announcedBy }
    for (const announcement of waiting) {
      if (announcement.at >= notes.from) continue
      const outcome = judgeAnnouncement(announcement, passed)
      if (outcome !== 'apart' || announcement.surface !== 'list of debtors') continue
      const key = slotKey(announcement.notes, announcement.at, announcement.channel!)
      apart.set(key, (apart.get(key) ?? 0) + 1)
    }
    waiting = waiting.filter(({ at }) => at >= notes.from)
    if (yesterday) {
      const exempt = judgeUnannounced(yesterday, found, { facts, disturbed, announcedBy, tally })
      // A quarter hour that has begun when notes are taken belongs to no day.
      const isOfDay = (slot: number) => slot >= yesterday.from && slot + 15 * MINUTE <= notes.from
      const leftThen = found.filter(({ at }) => isOfDay(slotOf(at)))
      for (const taken of mornings) {
        const slots = taken.slots.filter(({ at }) => isOfDay(Date.parse(at)))
        judgeSlots({ ...taken, slots }, { left: leftThen, exempt, apart, tally })
      }
    }
    mornings = [...mornings, notes].slice(-daysAhead)
    if (played.hasFacts && dayNumber < days) {
      await client.advanceTo(morning + random.between(1, 11) * (DAY / 24))
      addFacts(await letFactsHappen(company, duringTheDay, 0.05, random))
    }
  }
}

/** Debtors for whom something left or was due while the notes were taken: what was read before and after it differs rightly. */
function disturbedWhileNoting(notes: Notes, found: readonly LeftMessage[]): Set<string> {
  const isThen = (at: string | null) =>
    at !== null && Date.parse(at) > notes.from - MINUTE && Date.parse(at) <= notes.until
  const isDueThen = ({ id, invoiceIds }: ProvedDebtor) =>
    isThen(notes.debtors.get(id)?.at ?? null) ||
    invoiceIds.some(invoice => isThen(notes.invoices.get(invoice)!.nextActionAt))
  return new Set([
    ...found.flatMap(({ at, debtorId }) => (at <= notes.until ? [debtorId] : [])),
    ...notes.company.debtors.filter(isDueThen).map(({ id }) => id),
  ])
}

/** Every message was announced on its own morning, unless a new fact brought it about. Returns those that are not judged. */
function judgeUnannounced(
  notes: Notes,
  found: readonly LeftMessage[],
  {
    facts,
    disturbed,
    announcedBy,
    tally,
  }: {
    facts: readonly Fact[]
    disturbed: ReadonlySet<string>
    announcedBy: ReadonlyMap<string, ReadonlySet<string>>
    tally: Tally
  },
): Set<string> {
  const exempt = new Set<string>()
  const sampled = new Set(notes.samples.map(({ debtor }) => debtor.id))
  const contacted = new Set<string>()
  for (const message of found.toSorted((left, right) => left.at - right.at)) {
    const { id, debtorId, at, lead, step, channel } = message
    // The outcome of the message itself came after it.
    const isOther = (fact: Fact) => fact.messageId !== id
    if (disturbed.has(debtorId) && !isAnswer(message)) tally.disturbed()
    if (
      isAnswer(message) ||
      at <= notes.until ||
      disturbed.has(debtorId) ||
      factBetween(facts.filter(isOther), debtorId, notes.until, at)
    ) {
      exempt.add(id)
      continue
    }
    // Where a debtor is, a message may leave before 08:00 of the company's next day. Next contact and counts name the first only.
    const isFirst = !contacted.has(debtorId)
    contacted.add(debtorId)
    if (!isFirst) exempt.add(id)
    const surfaces = [
      // The list of invoices speaks of steps only.
      ...(step === 'extra_message' ? [] : ['list of invoices']),
      ...(isFirst ? ['list of debtors'] : []),
      ...(sampled.has(debtorId) ? ['plan', 'calendar'] : []),
    ]
    for (const surface of surfaces) {
      const isAnnounced = announcedBy.get(id)?.has(surface) ?? false
      tally.unannounced(surface, isAnnounced)
      if (isAnnounced) continue
      const contact = notes.debtors.get(debtorId)
      const said = saidByList(notes.invoices.get(lead)!)
      const invoiceSaid =
        said.kind === 'none'
          ? `nothing (${said.because})`
          : `${said.kind} ${shownMoment(said.at)} (${said.because})`
      const debtorSaid = contact
        ? `${contact.channel} ${shownMoment(Date.parse(contact.at))} (${contact.because})`
        : 'nothing'
      tally.differs(
        `${surface}: unannounced`,
        surface === 'list of debtors'
          ? `it said ${contact ? 'something else' : 'nothing'}`
          : `of its leading invoice the list said ${said.kind} (${said.because})`,
        () =>
          `${shownMoment(notes.from)} ${notes.company.name} debtor ${debtorId}: ${channel} ${shownMoment(at)} ${step}, lead ${lead}; invoice: ${invoiceSaid}; debtor: ${debtorSaid}`,
      )
    }
  }
  return exempt
}

function judge(findings: Findings, tally: Tally): void {
  for (const { surface, when, announced, asSaid } of tally.shares())
    findings.check(
      `${surface}, ${when}: everything happens as it was said, to the minute`,
      announced > 0 && asSaid === announced,
      `${percent(asSaid, announced)} of ${announced}`,
    )
  for (const { surface, messages, unannounced } of tally.leftUnannounced())
    findings.check(
      `${surface}: no message leaves that it did not announce that morning`,
      unannounced === 0,
      `${unannounced} of ${messages}`,
    )
  for (const { pair, cells, different } of tally.pairs())
    findings.check(`${pair}`, different === 0, `${different} of ${cells} cells differ`)
}
