import { expectTypeOf, it } from 'vitest'
import type {
  ApiError,
  ApiPromise,
  Channel,
  ChatEvent,
  ClientCode,
  ContactVerdict,
  CreatedInvoice,
  ErrorCode,
  EventName,
  FeedPagination,
  Hold,
  Invoice,
  InvoiceDebtorInput,
  InvoiceStatus,
  List,
  OffsetPagination,
  Page,
  Pagination,
  PlannedAction,
  ReasonCode,
  Relance,
  RelanceError,
  RelanceOptions,
  StepName,
  Task,
  WebhookEvent,
} from '../../../sdk/src/index.ts'

/*
 * Nothing of this runs: `tsc` judges it. A type that becomes wider or narrower no longer compiles here.
 */

declare const relance: Relance

it('an invoice is created for an existing debtor or for the data of one, and for nothing less', () => {
  expectTypeOf<{ id: string }>().toExtend<InvoiceDebtorInput>()
  expectTypeOf<{ name: string; email: string }>().toExtend<InvoiceDebtorInput>()
  expectTypeOf<{ name: string }>().not.toExtend<InvoiceDebtorInput>()
  expectTypeOf<{ siret: string }>().not.toExtend<InvoiceDebtorInput>()
  expectTypeOf<ReturnType<Relance['invoices']['create']>>().toEqualTypeOf<ApiPromise<CreatedInvoice>>()
})

it('what has a list of values is a union of them', () => {
  expectTypeOf<Invoice['status']>().toEqualTypeOf<InvoiceStatus>()
  expectTypeOf<'paid'>().toExtend<InvoiceStatus>()
  expectTypeOf<'payed'>().not.toExtend<InvoiceStatus>()
  expectTypeOf<Channel>().toEqualTypeOf<'email' | 'sms' | 'lrar' | 'voice'>()
  expectTypeOf<PlannedAction['reasonCode']>().toEqualTypeOf<ReasonCode>()
  expectTypeOf<'public_holiday'>().toExtend<ReasonCode>()
  expectTypeOf<'lrar_mise_en_demeure'>().toExtend<StepName>()
  expectTypeOf<string>().not.toExtend<StepName>()
  expectTypeOf<'dispute'>().toExtend<Hold>()
  expectTypeOf<ContactVerdict['inSevenDays']>().toEqualTypeOf<number>()
})

it('an error has a code of the API or of the client', () => {
  expectTypeOf<RelanceError['code']>().toEqualTypeOf<ErrorCode | ClientCode>()
  expectTypeOf<ApiError['code']>().toEqualTypeOf<ErrorCode>()
  expectTypeOf<'RES_002'>().toExtend<RelanceError['code']>()
  expectTypeOf<'RES_999'>().not.toExtend<RelanceError['code']>()
})

it('a list is awaited as a page and iterated as its items, with the pagination of its kind', () => {
  expectTypeOf<ReturnType<Relance['invoices']['list']>>().toEqualTypeOf<List<Invoice, Pagination>>()
  expectTypeOf<Awaited<ReturnType<Relance['invoices']['list']>>>().toEqualTypeOf<Page<Invoice, Pagination>>()
  const iterate = async () => {
    for await (const invoice of relance.invoices.list()) expectTypeOf(invoice).toEqualTypeOf<Invoice>()
  }
  expectTypeOf(iterate).returns.resolves.toBeVoid()
  expectTypeOf<
    Awaited<ReturnType<Relance['webhooks']['deliveries']>>['pagination']
  >().toEqualTypeOf<OffsetPagination>()
  expectTypeOf<Awaited<ReturnType<Relance['events']['list']>>['pagination']>().toEqualTypeOf<FeedPagination>()
})

it('an event is known by its name', () => {
  const read = (event: WebhookEvent) => {
    if (event.event === 'payment.received') expectTypeOf(event.data.amountCents).toEqualTypeOf<number>()
    if (event.event === 'task.finished') expectTypeOf(event.data.taskId).toEqualTypeOf<string>()
  }
  expectTypeOf(read).parameter(0).toEqualTypeOf<WebhookEvent>()
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventName>()
})

it('files, tasks and streams have their types', () => {
  expectTypeOf<ReturnType<Relance['invoices']['anr']>>().toEqualTypeOf<ApiPromise<Blob>>()
  expectTypeOf<Parameters<Relance['tasks']['import']>[0]>().toEqualTypeOf<
    Blob | ArrayBuffer | Uint8Array | string
  >()
  expectTypeOf<ReturnType<Relance['tasks']['wait']>>().toEqualTypeOf<Promise<Task>>()
  expectTypeOf<ReturnType<Relance['agent']['chatStream']>>().toExtend<AsyncIterable<ChatEvent>>()
  expectTypeOf<ReturnType<Relance['invoices']['delete']>>().toEqualTypeOf<ApiPromise<void>>()
})

it('a client has one credential', () => {
  expectTypeOf<{ apiKey: string; baseUrl: string }>().toExtend<RelanceOptions>()
  expectTypeOf<{ accessToken: () => Promise<string>; baseUrl: string }>().toExtend<RelanceOptions>()
  expectTypeOf<{
    session: { csrf: string; environment: 'sandbox'; companyId: string }
  }>().toExtend<RelanceOptions>()
  expectTypeOf<{ apiKey: string; accessToken: string; baseUrl: string }>().not.toExtend<RelanceOptions>()
  expectTypeOf<{ apiKey: string }>().not.toExtend<RelanceOptions>()
  expectTypeOf<{ baseUrl: string }>().not.toExtend<RelanceOptions>()
})

it('what is missing or misspelled does not compile', () => {
  const calls = () => {
    // @ts-expect-error an invoice has a due date
    void relance.invoices.create({ invoiceNumber: 'F', amountCents: 1, issueDate: '', debtor: { id: '' } })
    // @ts-expect-error there is no such state
    void relance.invoices.list({ status: 'payed' })
    // @ts-expect-error an id is a text
    void relance.invoices.get(1)
  }
  expectTypeOf(calls).toBeFunction()
})
