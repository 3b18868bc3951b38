import { afterAll, expect } from 'vitest'
import { startOvhcloud } from '../../dev/stand-ins/ovhcloud.ts'
import { ovhcloudEnv } from './provider-stand-ins.ts'
import { type ContactedInvoice, useDebtors } from './use-debtors.ts'
import { eventually } from './use-installation.ts'

let people = 0

/** A private person in Lyon, with a mobile number of their own. */
export const privatePerson = (changes: Record<string, unknown> = {}) => {
  const suffix = `${100 + ++people}`
  return {
    name: `Camille Verdier ${suffix}`,
    email: `camille.verdier.${suffix}@boite.example`,
    phone: `+3361234${suffix}0`,
    postalCode: '69002',
    city: 'Lyon',
    type: 'consumer',
    language: 'fr',
    ...changes,
  }
}

/** Debtors whose text messages reach the stand-in of a provider. */
export async function useTextMessages() {
  const provider = await startOvhcloud()
  const debtors = await useDebtors({ env: ovhcloudEnv(provider.url) })
  afterAll(() => provider.stop())
  return {
    ...debtors,
    /** A text message about this invoice, on the next day: five in a file at most, since Sunday follows. */
    async textMessage({ id }: ContactedInvoice): Promise<{ code: string; text: string }> {
      const asked = await debtors.installation.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
        body: { channel: 'sms' },
      })
      expect(asked.status, asked.text).toBe(202)
      const before = provider.effects().length
      await debtors.advanceDays(1)
      const sent = await eventually(provider.effects, found => found.length > before)
      const { reference: code, text } = sent[before]!
      await eventually(
        () => debtors.stateOf(code),
        state => state === 'sent',
      )
      return { code, text }
    },
  }
}
