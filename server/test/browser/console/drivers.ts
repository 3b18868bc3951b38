import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

interface Element {
  compareDocumentPosition(other: Element): number
  getAttribute(name: string): string | null
}
declare const document: { activeElement: Element | null; body: Element }

/**
 * How somebody uses the console. What they want is written once, in the flows; each driver does it with one device. The keyboard
 * presses keys and nothing else: it moves the focus as a person would, and sees where it is.
 */
export interface Driver {
  readonly name: 'mouse' | 'keyboard'
  /** Clicks and key presses that act, so far: not those that reach a field and give it its value. */
  clicks(): number
  /** All clicks and key presses so far, but for the letters of what was typed. */
  presses(): number
  /** Something that is done outside the page and counts as one, such as opening the link of a mail. */
  countOne(): void
  /** Follows a link or presses a button. */
  activate(target: Locator): Promise<void>
  /** Writes a text into a field, in the place of what is there. */
  write(field: Locator, text: string): Promise<void>
  /** Writes a day, `2026-11-20`, into a field for days. */
  writeDay(field: Locator, day: string): Promise<void>
  /** Chooses what begins with these words in a list of the browser. */
  choose(list: Locator, words: string): Promise<void>
  /** Opens a debtor or an invoice by its name, which is typed as into any other field. */
  find(typed: string): Promise<void>
  /** Goes to a screen of the rail. */
  go(screen: 'Aujourd’hui' | 'Clients' | 'Factures'): Promise<void>
  /** Opens an act of the screen; with the key that does the same, where it has one. */
  act(words: string, key?: string): Promise<void>
  /** A command that is on no screen, or whose button stands elsewhere; with its key, where it has one. */
  command(words: string, button: Locator, key?: string): Promise<void>
  /** Takes back what was done last. */
  undo(): Promise<void>
  /** Goes to a cell of the contact calendar. */
  cell(channel: string, date: string): Promise<void>
}

/** A headless browser shows days as Americans write them, whatever the language of the page. */
const typedDay = (day: string) => {
  const [year, month, date] = day.split('-')
  return `${month}${date}${year}`
}

/** Counts presses; those that only give a field its value are counted apart. */
function newCount() {
  let all = 0
  let filling = 0
  return {
    add(presses = 1): void {
      all += presses
    },
    async fill(work: () => Promise<void>): Promise<void> {
      const before = all
      await work()
      filling += all - before
    },
    clicks: () => all - filling,
    presses: () => all,
    countOne: () => void all++,
  }
}

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Chercher ou agir' })
const chosenCell = (page: Page) => page.locator('[role=gridcell][tabindex="0"]')
const cellOf = (page: Page, channel: string, date: string) =>
  page.locator(`[role=gridcell][data-cell="${channel} ${date}"]`)

export function mouseDriver(page: Page): Driver {
  const { add, fill, clicks, presses, countOne } = newCount()
  const click = async (target: Locator, options?: Parameters<Locator['click']>[0]) => {
    await target.click(options)
    add(options?.clickCount)
  }
  return {
    name: 'mouse',
    clicks,
    presses,
    countOne,
    activate: click,
    write: (field, text) =>
      fill(async () => {
        const isEmpty = (await field.inputValue()) === ''
        await click(field, { clickCount: isEmpty ? 1 : 3 })
        await page.keyboard.type(text)
      }),
    writeDay: (field, day) =>
      fill(async () => {
        // At its left edge, where the day stands.
        await click(field, { position: { x: 18, y: 16 } })
        await page.keyboard.type(typedDay(day))
        assert.equal(await field.inputValue(), day)
      }),
    choose: (list, words) =>
      fill(async () => {
        await list.waitFor()
        // The browser draws the open list outside the page, where no test can click.
        const label = (await list.locator('option').allTextContents()).find(text => text.startsWith(words))
        await list.selectOption({ label: label! })
        add(2)
      }),
    async find(typed) {
      await fill(async () => {
        await click(page.getByRole('banner').getByRole('button', { name: 'Chercher ou agir' }))
        await paletteOf(page).getByRole('combobox').waitFor()
        await page.keyboard.type(typed)
      })
      await click(paletteOf(page).getByRole('option').filter({ hasText: typed }).first())
    },
    go: screen =>
      click(page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: screen })),
    async act(words) {
      await click(page.getByRole('main').getByRole('button', { name: 'Agir', exact: true }))
      await click(page.getByRole('menuitem', { name: words }))
    },
    command: (_words, button) => click(button),
    undo: () =>
      click(page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Annuler' })),
    cell: (channel, date) => click(cellOf(page, channel, date)),
  }
}

/** More presses than this to reach something, and nobody would. */
const tabsMax = 80

/** Where the focus is, seen from something: at it, before it or after it. */
const focusFrom = (target: unknown): 'at' | 'before' | 'after' => {
  const element = target as Element
  const { activeElement, body } = document
  if (activeElement === element) return 'at'
  if (activeElement === null || activeElement === body) return 'before'
  const isAfter = (element.compareDocumentPosition(activeElement) & 4) !== 0
  return isAfter ? 'after' : 'before'
}
const focusedCell = (): string | null => document.activeElement?.getAttribute('data-cell') ?? null

export function keyboardDriver(page: Page): Driver {
  const { add, fill, clicks, presses, countOne } = newCount()
  const press = async (key: string) => {
    await page.keyboard.press(key)
    add()
  }
  async function reach(target: Locator): Promise<void> {
    await target.waitFor()
    for (let i = 0; i <= tabsMax; i++) {
      const focus = await target.evaluate(focusFrom)
      if (focus === 'at') return
      await press(focus === 'before' ? 'Tab' : 'Shift+Tab')
    }
    throw new Error(`not reached by ${tabsMax} presses of Tab: ${target}`)
  }
  async function choosePalette(typed: string): Promise<void> {
    await fill(async () => {
      await press('Control+k')
      await paletteOf(page).getByRole('combobox').waitFor()
      await page.keyboard.type(typed)
    })
    const options = paletteOf(page).getByRole('option')
    await options.filter({ hasText: typed }).first().waitFor()
    for (let i = 0; i < 20; i++) {
      const chosen = await paletteOf(page).locator('[role=option][aria-selected=true]').textContent()
      if (chosen?.includes(typed)) return press('Enter')
      await press('ArrowDown')
    }
    throw new Error(`not in the palette: ${typed}`)
  }
  const keys = { 'Aujourd’hui': 'a', Clients: 'd', Factures: 'f' }
  return {
    name: 'keyboard',
    clicks,
    presses,
    countOne,
    async activate(target) {
      await reach(target)
      await press('Enter')
    },
    write: (field, text) =>
      fill(async () => {
        await reach(field)
        if ((await field.inputValue()) !== '') await press('Control+a')
        await page.keyboard.type(text)
      }),
    writeDay: (field, day) =>
      fill(async () => {
        await reach(field)
        await page.keyboard.type(typedDay(day))
        assert.equal(await field.inputValue(), day)
      }),
    choose: (list, words) =>
      fill(async () => {
        await reach(list)
        const options = await list.locator('option').allTextContents()
        const wanted = options.findIndex(text => text.startsWith(words))
        const chosen = () =>
          list.evaluate(element => (element as unknown as { selectedIndex: number }).selectedIndex)
        for (let i = 0; i < options.length && (await chosen()) !== wanted; i++)
          await press((await chosen()) < wanted ? 'ArrowDown' : 'ArrowUp')
        assert.equal(await chosen(), wanted)
      }),
    find: choosePalette,
    async go(screen) {
      await press('g')
      await press(keys[screen])
    },
    act: async (words, key) => (key ? press(key) : choosePalette(words)),
    command: async (words, _button, key) => (key ? press(key) : choosePalette(words)),
    undo: () => press('u'),
    async cell(channel, date) {
      const wanted = `${channel} ${date}`
      await reach(chosenCell(page))
      const order = ['email', 'sms', 'voice', 'lrar']
      for (let i = 0; i < tabsMax; i++) {
        const [atChannel = '', atDate = ''] = ((await page.evaluate(focusedCell)) ?? '').split(' ')
        if (`${atChannel} ${atDate}` === wanted) return
        if (atChannel !== channel)
          await press(order.indexOf(atChannel) < order.indexOf(channel) ? 'ArrowDown' : 'ArrowUp')
        else await press(atDate < date ? 'ArrowRight' : 'ArrowLeft')
      }
      throw new Error(`no cell ${wanted}`)
    },
  }
}
