import type { Invoice } from '@relance/sdk'
import { describe, expect, it } from 'vitest'
import { heldStandings, standings } from '../../../server/src/domain/recovery/standing.ts'
import { type Standing, standingChips, standingText } from './standing.ts'

const invoice = (status: Invoice['status'], standing: Standing, holds: string[] = []) =>
  ({ status, recovery: { standing, holds } }) as unknown as Invoice
const textsOf = (...of: Parameters<typeof invoice>) =>
  standingChips(invoice(...of), 'fr').map(({ text }) => text)

describe('where an invoice stands', () => {
  it('is what the API says, whatever the status: nothing runs where a person has to decide', () => {
    expect(textsOf('in_recovery', 'running')).toEqual(['relance en cours'])
    expect(textsOf('in_recovery', 'decide')).toEqual(['à décider'])
    expect(textsOf('lrar_sent', 'decide')).toEqual(['à décider', 'mise en demeure envoyée'])
    expect(textsOf('partial', 'running')).toEqual(['relance en cours', 'payée en partie'])
    expect(textsOf('imported', 'pending')).toEqual(['pas encore commencée'])
    for (const status of ['imported', 'in_recovery', 'lrar_sent', 'partial'] as const)
      expect(textsOf(status, 'decide').join()).not.toMatch(/en cours|en relance/)
  })

  it('names every hold once, the one that decides first', () => {
    expect(textsOf('disputed', 'held:dispute', ['asked', 'dispute'])).toEqual([
      'contestation ouverte',
      'pause demandée',
    ])
  })

  it('says the sum that is disputed with the dispute, also after the amicable stage', () => {
    const disputed = (status: Invoice['status'], standing: Standing, holds: string[]) =>
      standingChips(
        {
          status,
          currency: 'EUR',
          recovery: { standing, holds, disputedCents: 48_050 },
        } as unknown as Invoice,
        'en',
      ).map(({ text }) => text)
    expect(disputed('disputed', 'held:dispute', ['dispute', 'asked'])).toEqual([
      'open dispute (€480.50)',
      'pause asked for',
    ])
    expect(disputed('disputed', 'judicial', [])).toEqual(['disputed (€480.50)'])
  })

  it('is the status of the invoice once the recovery is over', () => {
    expect(textsOf('paid', 'ended')).toEqual(['payée'])
    expect(textsOf('cancelled', 'ended')).toEqual(['clôturée'])
    expect(textsOf('judicial', 'judicial')).toHaveLength(1)
  })

  it('is only the status where the recovery may not be read', () => {
    expect(standingChips({ status: 'partial' } as Invoice, 'en').map(({ text }) => text)).toEqual([
      'partly paid',
    ])
  })

  it('has a word for every standing, in both languages', () => {
    expect(standings).toEqual(expect.arrayContaining(heldStandings))
    for (const language of ['fr', 'en'] as const)
      for (const standing of standings) expect(standingText(standing, language)).toMatch(/^\S.+[^.]$/)
  })
})
