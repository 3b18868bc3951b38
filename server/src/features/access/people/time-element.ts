import { iso } from '../../../kit/clock.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import type { View } from './view.ts'

/** The browser's time zone is not known, so Paris time is shown with its zone. */
const format = (language: string) =>
  new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Paris',
    timeZoneName: 'short',
  })
const formats = { fr: format('fr'), en: format('en') }

export const timeElement = ({ language }: View, at: number): Html =>
  html`<time datetime="${iso(at)}">${formats[language].format(at)}</time>`
