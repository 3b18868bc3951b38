import { expect, test } from 'vitest'
import { hostileMessage, link } from '../../../../../test/injection/hostile-message.ts'
import { stepsWithTexts } from './texts/texts.ts'

const claiming = ['relance_email_2', 'relance_email_3', 'lrar_mise_en_demeure', 'email_dernier_avis']

test('four steps claim what the law adds, in the email and in the letter, and no other message does', () => {
  for (const channel of ['email', 'lrar', 'sms', 'voice'] as const)
    for (const step of stepsWithTexts(channel)) {
      const { message, claimed } = hostileMessage(channel, step, ['Durand'])
      const isClaimed = claiming.includes(step)
      // 40.00 and 24.37: 1,200.00 over the 61 days whose rate is known.
      expect(claimed, `${step} ${channel}`).toEqual(isClaimed ? [{ invoiceId: 'invoice', cents: 6_437 }] : [])
      expect(/D441-5[\s\S]*L441-10/.test(message.text), `${step} ${channel}`).toBe(isClaimed)
    }
})

test('with proceedings on record an answer asks for nothing, and shows no account', () => {
  const ended = (insolvency: string | null) =>
    hostileMessage('email', 'dispute_resolved', ['Durand'], 'com_1', insolvency).message.text
  expect(ended(null)).toMatch(/maintient la facture[\s\S]*Les rappels peuvent reprendre/)
  expect(ended('liquidation')).not.toMatch(
    /maintient la facture|rappels peuvent reprendre|[Rr]este à payer|€/,
  )
  expect(ended('liquidation')).toContain('Aucun paiement ne vous est demandé pour cette facture.')
})

test('what asks for nothing mentions no other open invoice', () => {
  const told = (step: string) => hostileMessage('email', step, ['Durand']).message.text
  expect(told('relance_email_1')).toContain('Pour information')
  for (const step of ['closing_notice', 'payment_receipt'])
    expect(told(step)).not.toContain('Pour information')
})

test('an email is text and HTML, and both lead to the page', () => {
  const { message } = hostileMessage('email', 'relance_email_1', ['Durand'])
  if (message.channel !== 'email') throw new Error('not an email')
  expect(message.text).toContain(link)
  expect(message.html).toContain(`href="${link}"`)
})

test('a letter is printed when it is asked for, once, and goes by the postman', async () => {
  const { message } = hostileMessage('lrar', 'lrar_mise_en_demeure', ['Durand'])
  if (message.channel !== 'lrar') throw new Error('not a letter')
  expect(message.delivery).toEqual({ by: 'paper' })
  expect(await message.pdf()).toBe(await message.pdf())
})

test('an address of several lines stands in several lines of the letter, and the rest of the text in one', () => {
  const { message } = hostileMessage('lrar', 'lrar_mise_en_demeure', ['12 rue Mercière\n\nBâtiment B'])
  if (message.channel !== 'lrar') throw new Error('not a letter')
  expect(message.to.lines).toEqual(['12 rue Mercière', 'Bâtiment B'])
  expect(message.to.name).toBe('12 rue Mercière Bâtiment B')
})
