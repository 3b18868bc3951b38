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
  const debtors = await useDebtors({ own: 'moves the clock', env: ovhcloudEnv(provider.url) })
  afterAll(() => provider.stop())
  return {
    ...debtors,
    /** A text message about this invoice, on the first day it may leave. */
    async textMessage({ id }: ContactedInvoice): Promise<{ code: string; text: string }> {
      const { installation } = debtors
      const asked = await installation.call<{ scheduledAt: string }>(
        'POST',
        `/api/v1/workflow/invoice/${id}/communications`,
        { body: { channel: 'sms' } },
      )
      expect(asked.status, asked.text).toBe(202)
      await debtors.advanceTo(asked.body.data.scheduledAt)
      const [sent] = await eventually(
        () =>
          installation.sql<{ code: string }>(
            `select m.code from communication_invoices l
               join communications c on c.id = l.communication_id and c.channel = 'sms' and c.state = 'sent'
               join message_codes m on m.communication_id = c.id where l.invoice_id = $1`,
            [id],
          ),
        found => found.length > 0,
      )
      const { code } = sent!
      return { code, text: provider.effects().find(({ reference }) => reference === code)!.text }
    },
  }
}
