import type { FastifyInstance } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { addPageGroup, type PageContext, sendPage } from '../../../kit/http/pages.ts'
import type { Publisher } from '../companies/installation.ts'
import { legalPath } from '../pages/frame.ts'
import { layout } from '../people/layout.ts'
import { type View, viewOf } from '../people/view.ts'

const texts = {
  fr: {
    title: 'Mentions légales',
    publisher: 'Éditeur',
    host: 'Hébergeur',
    name: 'Nom',
    address: 'Adresse',
    telephone: 'Téléphone',
    registration: 'Immatriculation',
    director: 'Directeur de la publication',
    failed: 'Cette page n’a pas pu s’afficher',
  },
  en: {
    title: 'Legal notice',
    publisher: 'Publisher',
    host: 'Host',
    name: 'Name',
    address: 'Address',
    telephone: 'Telephone',
    registration: 'Registration',
    director: 'Director of publication',
    failed: 'This page could not be shown',
  },
}

const section = (title: string, rows: readonly (readonly [label: string, value: string])[]) =>
  html`<h2>${title}</h2>
<dl class="sheet named">${rows.map(([label, value]) => html`<div class="row"><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

function legalPage(view: View, { operator, host }: Publisher) {
  const words = texts[view.language]
  return layout(view, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
${section(words.publisher, [
  [words.name, operator.name],
  [words.address, operator.address],
  [words.telephone, operator.telephone],
  [words.registration, operator.registration],
  [words.director, operator.director],
])}
${section(words.host, [
  [words.name, host.name],
  [words.address, host.address],
  [words.telephone, host.telephone],
])}`,
  })
}

/** Who publishes the pages of this installation, and who hosts them. Every page links to it. */
export const addLegalPage = (app: FastifyInstance, context: PageContext, publisher: Publisher): void =>
  addPageGroup(app, context, {
    otherMethods: 405,
    fail: (request, reply, status) => {
      const view = viewOf(request, null)
      const { failed } = texts[view.language]
      return sendPage(reply, status, layout(view, { title: failed, body: html`<h1>${failed}</h1>` }))
    },
    pages: [
      {
        url: legalPath,
        hasGet: true,
        hasPost: false,
        handler: (request, reply) => sendPage(reply, 200, legalPage(viewOf(request, null), publisher)),
      },
    ],
  })
