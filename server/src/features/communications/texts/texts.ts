import { emailPriseEnCharge, type Notice, type Text } from './email-prise-en-charge.ts'

/** Every step that sends has its words here; a step without words is never reserved. */
const texts: Readonly<Record<string, (language: 'fr' | 'en', notice: Notice) => Text>> = {
  email_prise_en_charge: emailPriseEnCharge,
}

export const textOf = (step: string) => texts[step] ?? null
