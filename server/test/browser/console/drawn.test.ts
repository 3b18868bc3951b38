import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Debtor } from '../../../../sdk/src/index.ts'
import { chromiumPath } from '../chromium.ts'
import { type DrawnDebtor, makeDebtors, seasons } from './drawn-debtors.ts'
import { newOracle } from './drawn-oracle.ts'
import { readDrawn } from './drawn-read.ts'
import { useConsole } from './use-console.ts'

/** `npm run prove -- drawn --debtors 200` sets them. */
const count = Number(process.env.DRAWN_DEBTORS ?? 12)
const seed = Number(process.env.DRAWN_SEED ?? 1)
/** A person may ask three hundred times a minute. */
const debtorsPerPerson = 8
const phoneEvery = 6

describe.skipIf(!chromiumPath)('what is drawn', () => {
  const console = useConsole({ hasWorker: true, now: Date.parse('2026-10-01T09:00:00+02:00') })
  const oracle = newOracle()

  const call = (method: string, path: string, body?: unknown) =>
    console.installation.call(method, `/api/v1${path}`, {
      key: console.martin.sandboxKey,
      ...(body !== undefined && { body }),
    })

  let stopKeeping = () => {}

  /** Opens a path, and gives what the API answered to this page, by the end of its path. */
  async function answersAt(page: Page, path: string) {
    stopKeeping()
    const answers = new Map<string, unknown>()
    const reading: Promise<unknown>[] = []
    const keep = (response: { url(): string; json(): Promise<unknown> }) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith('/console/api/v1/') || pathname.endsWith('/live')) return
      const name = pathname.replace('/console/api/v1', '')
      // An answer to the page before, whose reader is gone, is none of this page.
      reading.push(
        response
          .json()
          .then(body => answers.set(name, body))
          .catch(() => {}),
      )
    }
    page.on('response', keep)
    stopKeeping = () => page.off('response', keep)
    await page.goto(console.urlOf('sandbox', path))
    await page.getByRole('heading', { level: 1 }).waitFor()
    return async <Data>(name: string): Promise<Data> => {
      await expect.poll(() => answers.has(name)).toBe(true)
      await Promise.all(reading)
      return (answers.get(name) as { data: Data }).data
    }
  }
  const inTable = async (page: Page) => {
    const figure = page.locator('main figure').first()
    await figure.getByRole('button', { name: 'Voir en tableau' }).click()
    await figure.locator('table').waitFor()
    const [table] = await readDrawn(page, 'main figure table')
    await figure.getByRole('button', { name: 'Voir l’image' }).click()
    return table!
  }

  async function checkDebtor(page: Page, { id }: DrawnDebtor, from: string, isPhone: boolean): Promise<void> {
    const answer = await answersAt(page, `/debtors/${id}?from=${from}`)
    await page.locator('main svg[role=grid]').waitFor()
    const calendar = await answer<Parameters<typeof oracle.calendar>[0]>(`/debtors/${id}/calendar`)
    const [grid] = await readDrawn(page, 'main svg[role=grid]')
    oracle.calendar(calendar, grid!, await inTable(page))
    const invoices = await answer<Parameters<typeof oracle.balance>[0]>('/invoices')
    const debtor = await answer<Debtor>(`/debtors/${id}`)
    const [table] = await readDrawn(page, 'main section > table:not(figure *)')
    oracle.balance(invoices, table!, {
      home: 'Europe/Paris',
      local: debtor.timeZone!,
      place: debtor.city!,
      now: Date.parse(calendar.now),
    })
    const [sums] = await readDrawn(page, 'main dl')
    const [bar] = await readDrawn(page, 'main [data-bar=ageing]')
    oracle.account(debtor.account!, sums!, bar)
    if (!isPhone) return
    await page.setViewportSize({ width: 390, height: 780 })
    await page.getByRole('tablist').waitFor()
    const [narrow] = await readDrawn(page, 'main svg[role=grid]')
    oracle.calendar(calendar, narrow!, await inTable(page), 'phone')
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  async function checkInvoice(page: Page, id: string): Promise<void> {
    const answer = await answersAt(page, `/invoices/${id}`)
    await page.locator('main figure').waitFor()
    const invoice = await answer<{
      debtor: { timeZone: string }
      recovery: { limitationEndsOn: string } | null
    }>(`/invoices/${id}`)
    const { now } = await answer<{ now: string }>('/sandbox/clock')
    const { actions } = await answer<{ actions: never[] }>(`/workflow/invoice/${id}/plan`)
    const ladder = {
      id,
      now: Date.parse(now),
      timeZone: invoice.debtor.timeZone ?? 'Europe/Paris',
      timeline: await answer<never[]>(`/invoices/${id}/timeline`),
      actions,
      payments: await answer<never[]>(`/payments/invoice/${id}`),
      limitationEndsOn: invoice.recovery?.limitationEndsOn ?? null,
    }
    const [picture] = await readDrawn(page, 'main figure svg[role=group]')
    oracle.ladder(ladder, picture, await inTable(page))
  }

  /** The screen of a day draws quarter hours. On Aujourd'hui, next to the list of work, and on a phone there is room for hours. */
  async function checkDay(page: Page, date: string): Promise<void> {
    const read = async (path: string, form: 'wide' | 'narrow') => {
      const answer = await answersAt(page, path)
      await page.locator('main figure').waitFor()
      const day = await answer<Parameters<typeof oracle.ribbon>[0]>('/reports/today')
      const drawn = async () => (await readDrawn(page, 'main figure svg[role=group]'))[0]!
      oracle.ribbon(day, await drawn(), await inTable(page), form)
      return { day, drawn }
    }
    await read(`?date=${date}`, 'wide')
    const { day, drawn } = await read('', 'narrow')
    await page.setViewportSize({ width: 390, height: 780 })
    await expect.poll(async () => (await drawn()).at.width).toMatch(/^3\d\d$/)
    oracle.ribbon(day, await drawn(), await inTable(page), 'narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  it.each(seasons)(
    'is what the API said, around the change of the clocks after $begins',
    { timeout: 600_000 },
    async season => {
      const { debtors, accepted } = await makeDebtors(call, seed, Math.ceil(count / seasons.length), season)
      expect(accepted).toBeGreaterThan(0)
      let page: Page | undefined
      for (const [i, debtor] of debtors.entries()) {
        if (i % debtorsPerPerson === 0) {
          await page?.close()
          ;({ page } = await console.open({ environment: 'sandbox', path: '/debtors' }))
          await checkDay(page, season.read)
        }
        await checkDebtor(page!, debtor, season.from, i % phoneEvery === 0)
        await checkInvoice(page!, debtor.invoiceIds[0]!)
        expect(oracle.faults.slice(0, 10), debtor.id).toEqual([])
      }
      process.stdout.write(`${debtors.length} debtors, ${JSON.stringify(oracle.compared)}\n`)
      expect(Math.min(...Object.values(oracle.compared))).toBeGreaterThan(0)
    },
  )
})
