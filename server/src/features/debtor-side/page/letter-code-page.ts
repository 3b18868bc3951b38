import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { field, formOf } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import type { Allowance, Limiter } from '../../../kit/http/limits.ts'
import { addPageGroup, type PageContext, seeOther } from '../../../kit/http/pages.ts'
import { tooMany } from '../../../kit/http/refusals.ts'
import { networkOf } from '../../../kit/ip-block.ts'
import { codeByLetterCode, typedLetterCode } from '../../recovery/messages/compose/message-code.ts'
import { failurePage } from './failure-pages.ts'
import { type Fault, faultSummary } from './form-parts.ts'
import { layout, sendDebtorPage } from './layout.ts'
import { type PageLocale, pageLocaleOf } from './page-locale.ts'

// Every try counts, also one that finds its letter. docs/decisions/debtor-page.md says how long guessing takes at this pace.
const perNetwork: Allowance = { perMinute: 5, perDay: 40, inFlight: 5 }
const inAll: Allowance = { perMinute: 600, perDay: null, inFlight: 100 }

const localeOf = (request: FastifyRequest) => pageLocaleOf(request, '', null)

const pathOf = ({ language }: PageLocale) => `/d?lang=${language}`

function codePage(locale: PageLocale, typed: string, fault: Fault | null): Html {
  const { letterCode: texts } = locale.texts
  return layout(locale, {
    title: texts.title,
    hasFaults: fault !== null,
    body: html`${faultSummary(locale, fault)}<h1>${texts.title}</h1>
<p>${texts.text}</p>
<form method="post" action="${pathOf(locale)}" novalidate>
<div class="field${fault && ' faulty'}"><label for="code">${texts.field}</label>
<p class="hint" id="code-hint">${texts.hint}</p>
${fault && html`<p class="fault" id="code-fault">${fault.text}</p>`}
<input id="code" name="code" class="figures code" required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${typed}" aria-describedby="code-hint${fault && ' code-fault'}"${fault && html` aria-invalid="true"`}></div>
<button>${texts.submit}</button>
</form>`,
  })
}

const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  why: 'malformed' | 'unknown',
) => {
  const locale = localeOf(request)
  const fault = { field: 'code', text: locale.texts.letterCode.faults[why] }
  return sendDebtorPage(reply, status, codePage(locale, field(formOf(request), 'code'), fault))
}

/** Throws when too many codes were tried, from this network or in total. */
async function countTry(
  { clock, newId }: PageContext,
  limiter: Limiter,
  request: FastifyRequest,
): Promise<void> {
  const wall = clock.wall()
  for (const [subject, allowance] of [
    [`letter-code:${networkOf(request.ip)}`, perNetwork],
    ['letter-code', inAll],
  ] as const) {
    const admission = await limiter.admit(subject, newId(wall), allowance, wall)
    if (admission.refusedBy) throw tooMany(admission)
    admission.release()
  }
}

async function openLetter(
  context: PageContext,
  limiter: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const letterCode = typedLetterCode(field(formOf(request), 'code'))
  if (letterCode === null) return refuse(request, reply, 400, 'malformed')
  await countTry(context, limiter, request)
  const code = await codeByLetterCode(context.pool, letterCode, context.clock.wall())
  return code === null ? refuse(request, reply, 404, 'unknown') : seeOther(reply, `/d/${code}`)
}

/** The page where a debtor without a camera types the code of a letter. */
export const addLetterCodePage = (app: FastifyInstance, context: PageContext, limiter: Limiter): void =>
  addPageGroup(app, context, {
    otherMethods: 404,
    fail: (request, reply, status) =>
      sendDebtorPage(reply, status, failurePage(localeOf(request), status, request.id)),
    pages: ['/d', '/d/'].map(url => ({
      url,
      hasGet: true,
      hasPost: true,
      handler: (request, reply) =>
        request.method === 'POST'
          ? openLetter(context, limiter, request, reply)
          : sendDebtorPage(reply, 200, codePage(localeOf(request), '', null)),
    })),
  })
