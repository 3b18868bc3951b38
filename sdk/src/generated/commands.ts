// Generated from the declared operations by npm run generate. Do not edit.

import type { Command } from '../cli/command.ts'

export const commands: readonly Command[] = [
 {
  "id": "invoices.list",
  "method": "GET",
  "answers": "list",
  "summary": "List invoices, filtered, searched and sorted",
  "text": "Pages by `page` and `limit`, or, at any depth and always fast, by following the `cursor` of the `Link` header. `total` is exact without filters, for status, debtorId and issue dates, and for the standings of open invoices with due dates; otherwise it is counted up to 10,000 and then marked with `totalIsExact: false`. A search looks through the first 50,000 invoices of the order, and then gathers up to 100,000 that match; one or two letters are looked for among 200,000. `step`, `reasonCode` and `debtorType` are looked up for each of the first 5,000 invoices that pass the other filters, in the order of the list, and where more than 500 pass, the total counts those of the first 500. `sortBy=next_action_at` shows the invoices that run, in the order of the quarter hour of the next contact planned with their debtor; a filter that many invoices pass is looked up for those of the first 2,000 debtors.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "status",
    "type": "string",
    "values": [
     "draft",
     "imported",
     "lrar_sent",
     "in_recovery",
     "paid",
     "partial",
     "disputed",
     "written_off",
     "judicial",
     "cancelled"
    ],
    "text": "Only invoices in this state"
   },
   {
    "name": "debtorId",
    "type": "string",
    "text": "Only invoices of this debtor"
   },
   {
    "name": "fromDate",
    "type": "string",
    "text": "Issue date from, inclusive"
   },
   {
    "name": "toDate",
    "type": "string",
    "text": "Issue date to, inclusive"
   },
   {
    "name": "minAmount",
    "type": "number",
    "text": "Only invoices of this sum or more, in cents"
   },
   {
    "name": "maxAmount",
    "type": "number",
    "text": "Only invoices of this sum or less, in cents"
   },
   {
    "name": "standing",
    "type": "string",
    "text": "Where it stands; one or more of pending, running, held:situation, held:dispute, held:wrong_person, held:address_refused, held:insolvency, held:reply, held:upheld, held:reopened, held:promise, held:asked, held:debtor, decide, judicial, ended, with commas"
   },
   {
    "name": "dueFrom",
    "type": "string",
    "text": "Due date from, inclusive"
   },
   {
    "name": "dueTo",
    "type": "string",
    "text": "Due date to, inclusive"
   },
   {
    "name": "overdueMin",
    "type": "number",
    "text": "Days past the due date, at least; negative: before it"
   },
   {
    "name": "overdueMax",
    "type": "number",
    "text": "Days past the due date, at most"
   },
   {
    "name": "workflowStatus",
    "type": "string",
    "values": [
     "pending",
     "in_recovery",
     "paused",
     "judicial"
    ],
    "text": "Status of the recovery; for those that ended use `status`"
   },
   {
    "name": "step",
    "type": "string",
    "text": "The step at which an open recovery stands"
   },
   {
    "name": "nextFrom",
    "type": "string",
    "text": "Its next message is in this quarter hour or later"
   },
   {
    "name": "nextTo",
    "type": "string",
    "text": "The same, in this quarter hour or earlier"
   },
   {
    "name": "reasonCode",
    "type": "string",
    "text": "Why the next action is when it is, or why there is none"
   },
   {
    "name": "debtorType",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "The kind of its debtor"
   },
   {
    "name": "search",
    "type": "string",
    "text": "Part of the number or of the debtor's name"
   },
   {
    "name": "include",
    "type": "string",
    "values": [
     "recovery"
    ],
    "text": "Adds where the recovery stands; needs the scope workflow:read"
   },
   {
    "name": "sortBy",
    "type": "string",
    "values": [
     "created_at",
     "createdAt",
     "due_date",
     "dueDate",
     "amount_cents",
     "amountCents",
     "status",
     "balance",
     "next_action_at",
     "nextActionAt"
    ],
    "text": "Also in camel case. next_action_at needs the scope workflow:read too, as do standing, workflowStatus, step, nextFrom, nextTo and reasonCode"
   },
   {
    "name": "sortOrder",
    "type": "string",
    "values": [
     "asc",
     "desc"
    ],
    "text": "Ascending or descending"
   }
  ],
  "body": null
 },
 {
  "id": "invoices.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read an invoice with its debtor and balance",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "include",
    "type": "string",
    "values": [
     "recovery"
    ],
    "text": "Adds where the recovery stands; needs the scope workflow:read"
   }
  ],
  "body": null
 },
 {
  "id": "invoices.timeline",
  "method": "GET",
  "answers": "list",
  "summary": "Read what happened with an invoice, the newest first",
  "text": "The history of its recovery, its money and the notes about it. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the previous page: continues with older entries"
   },
   {
    "name": "lang",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the sentences"
   }
  ],
  "body": null
 },
 {
  "id": "invoices.create",
  "method": "POST",
  "answers": "record",
  "summary": "Import an overdue invoice and start its recovery",
  "text": "The recovery starts in the same transaction: when you read 201, it is running, and its first message leaves at the next moment the contact rules allow.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceNumber",
    "type": "string",
    "isRequired": true,
    "text": "The invoice number, as the company wrote it"
   },
   {
    "name": "amountCents",
    "type": "number",
    "isRequired": true,
    "text": "Total including tax, in cents"
   },
   {
    "name": "issueDate",
    "type": "string",
    "isRequired": true,
    "text": "The day it was issued"
   },
   {
    "name": "dueDate",
    "type": "string",
    "isRequired": true,
    "text": "The last day to pay without being late"
   },
   {
    "name": "debtor.id",
    "type": "string",
    "text": "Its id, a UUID"
   },
   {
    "name": "debtor.name",
    "type": "string",
    "text": "Its name"
   },
   {
    "name": "debtor.email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "debtor.phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "debtor.siret",
    "type": "string",
    "text": "The 14 digits of a French establishment"
   },
   {
    "name": "debtor.address",
    "type": "string",
    "text": "Street and number; lines are kept"
   },
   {
    "name": "debtor.city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "debtor.postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "debtor.country",
    "type": "string",
    "text": "ISO 3166-1 alpha-2"
   },
   {
    "name": "debtor.type",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Whether it is a business, a consumer or a public body"
   },
   {
    "name": "debtor.language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "The language of what is written and said"
   },
   {
    "name": "currency",
    "type": "string",
    "text": "ISO 4217, with two decimals; of a company that was set up with another currency, that one"
   },
   {
    "name": "description",
    "type": "string",
    "text": "What was delivered or done, as the debtor reads it"
   },
   {
    "name": "metadata",
    "type": "json",
    "text": "Your own data; stored and returned as it is"
   },
   {
    "name": "suppliedOn",
    "type": "string",
    "text": "When the supply was completed: the time bar is counted from it; else from issueDate"
   },
   {
    "name": "limitationMonths",
    "type": "number",
    "text": "A special time of the law, such as 12 for carriage; else that of the debtor"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.import",
  "method": "POST",
  "answers": "record",
  "summary": "Import up to 100 invoices, each validated separately",
  "text": "Answers 201 when at least one was imported; the report has the result of each. If none was imported, 400 with every error.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoices",
    "type": "json",
    "isRequired": true,
    "text": "1 to 100 invoices, each judged by itself"
   },
   {
    "name": "autoStartWorkflow",
    "type": "boolean",
    "text": "Start the recovery of each invoice at once"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change an invoice's notes or metadata, or what its time bar is counted by",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "notes",
    "type": "string",
    "text": "Internal; null clears them"
   },
   {
    "name": "metadata",
    "type": "json",
    "text": "Replaces the whole object; null clears it"
   },
   {
    "name": "suppliedOn",
    "type": "string",
    "text": "When the supply was completed: the time bar is counted from it; else from issueDate"
   },
   {
    "name": "limitationMonths",
    "type": "number",
    "text": "A special time of the law, such as 12 for carriage; else that of the debtor"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.delete",
  "method": "DELETE",
  "answers": "record",
  "summary": "Delete an invoice whose recovery was never started",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "invoices.credit",
  "method": "POST",
  "answers": "record",
  "summary": "Record a credit note: it lowers what is owed and never counts as collected",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "number",
    "type": "string",
    "isRequired": true,
    "text": "The number of the credit note"
   },
   {
    "name": "amountCents",
    "type": "number",
    "isRequired": true,
    "text": "The sum, in cents"
   },
   {
    "name": "issuedOn",
    "type": "string",
    "isRequired": true,
    "text": "Not after today in the time zone of the company"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.waiveLatePayment",
  "method": "POST",
  "answers": "record",
  "summary": "Give up the 40 € and the interest of an invoice for good",
  "text": "What was paid of them stays paid. No later message claims them for this invoice. The principal and the status of the invoice do not change.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "isRequired": true,
    "text": "Why, for your own records"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.dispute",
  "method": "POST",
  "answers": "record",
  "summary": "Record that the debtor disputes an invoice: its recovery pauses at once",
  "text": "Nothing more is sent for the invoice from the answer on, but for the messages named in `inFlight`. The pause lasts until the dispute is resolved.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "isRequired": true,
    "text": "What the debtor says; the debtor’s page shows it"
   },
   {
    "name": "category",
    "type": "string",
    "values": [
     "not_received",
     "not_as_agreed",
     "wrong_quantity",
     "wrong_amount",
     "already_paid",
     "not_owed",
     "other"
    ],
    "text": "What it is about"
   },
   {
    "name": "amountCents",
    "type": "number",
    "text": "What of the invoice is disputed; all of it unless given"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.resolveDispute",
  "method": "POST",
  "answers": "record",
  "summary": "Resolve a dispute; unless it was upheld, the reminders continue",
  "text": "The debtor is told the outcome by email and on their page: the sum that was credited, the `answer`, never the note. The reminders are planned anew from today, with their days moved by the length of the pause. After `upheld` nothing is asked, and they stay paused until somebody resumes or cancels them.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "outcome",
    "type": "string",
    "isRequired": true,
    "values": [
     "upheld",
     "rejected",
     "partly"
    ],
    "text": "upheld: the debtor is right, and the recovery stays paused; otherwise it goes on"
   },
   {
    "name": "amountCents",
    "type": "number",
    "text": "With `partly`: what is not owed, recorded as a credit note. Without it, the credit notes since the dispute was opened"
   },
   {
    "name": "creditNumber",
    "type": "string",
    "text": "Of that credit note; made of the invoice number and the day unless given"
   },
   {
    "name": "answer",
    "type": "string",
    "text": "Why it was not wholly accepted; the debtor is told"
   },
   {
    "name": "note",
    "type": "string",
    "text": "In the words of who noted it"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.promise",
  "method": "POST",
  "answers": "record",
  "summary": "Record that the debtor promises to pay on a day: the reminders wait for it",
  "text": "They wait until two working days after that day. Money that reaches the promised sum keeps the promise; otherwise it is broken, and the reminders go on. A new promise takes the place of an open one, which counts as broken if its day has come. Debtors themselves move a promise once and within 90 days; here it may be moved as often as you agree to.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "date",
    "type": "string",
    "isRequired": true,
    "text": "Today or later where the debtor is, at most 60 days ahead"
   },
   {
    "name": "amountCents",
    "type": "number",
    "text": "What is promised; the balance unless given"
   },
   {
    "name": "note",
    "type": "string",
    "text": "What was said; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.acknowledgePromise",
  "method": "POST",
  "answers": "record",
  "summary": "A person has seen that a promise was broken: the reminders go on as planned",
  "text": "It leaves the list of work and changes nothing else. It also leaves it with a new promise, a dispute, a pause, an end of the recovery, or a message that a person asks for. Doing it again changes nothing.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "promiseId",
    "text": "The id of the promise"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "invoices.cancel",
  "method": "POST",
  "answers": "record",
  "summary": "Cancel the recovery of an invoice, for good",
  "text": "Planned reminders and messages that have not left stop with the answer.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "isRequired": true,
    "text": "Kept in the history; the debtor can ask for a copy"
   },
   {
    "name": "notifyDebtor",
    "type": "boolean",
    "text": "Send a closing notice at the next allowed moment"
   },
   {
    "name": "stillOwed",
    "type": "boolean",
    "text": "What the closing notice says of the invoice; absent: it does not say"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.writeOff",
  "method": "POST",
  "answers": "record",
  "summary": "Write off an open invoice: nothing more is sent, and an attestation of non-recovery is made",
  "text": "Final. The recovery ends in the same transaction, and the attestation is there to download when you read 201.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "basis",
    "type": "string",
    "isRequired": true,
    "values": [
     "amicable_failed",
     "liquidation",
     "untraceable",
     "enforcement_failed",
     "time_barred"
    ],
    "text": "Why the debt is irrecoverable"
   },
   {
    "name": "note",
    "type": "string",
    "text": "Printed in the attestation as your own words"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "invoices.anr",
  "method": "GET",
  "answers": "file",
  "summary": "Download the attestation of non-recovery of an invoice that was written off",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "invoices.summary",
  "method": "GET",
  "answers": "record",
  "summary": "Number of invoices, total amount, and amount recovered",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.list",
  "method": "GET",
  "answers": "list",
  "summary": "List debtors, the newest first, or by what they owe and what comes next",
  "text": "A search finds at most 10,000 debtors. By balance, only debtors with something open in the company's currency are listed; by next_contact only those with a planned message, and by score only those that have one. Where a filter is passed by more than 1,000 debtors, the first 5,000 of the order are looked at, and the total counts those of the first 500. What shows or filters sums of invoices needs the scope invoices:read too; accounts, standings, `nextFrom`, `nextTo`, `parked` and the order by next_contact need workflow:read.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "search",
    "type": "string",
    "text": "Part of the name, email or SIRET"
   },
   {
    "name": "sortBy",
    "type": "string",
    "values": [
     "created_at",
     "createdAt",
     "name",
     "balance",
     "next_contact",
     "nextContact",
     "score"
    ],
    "text": "Also in camel case"
   },
   {
    "name": "sortOrder",
    "type": "string",
    "values": [
     "asc",
     "desc"
    ],
    "text": "Without it: asc for name and next_contact, else desc"
   },
   {
    "name": "standing",
    "type": "string",
    "text": "With an invoice that stands so; one or more of pending, running, held:situation, held:dispute, held:wrong_person, held:address_refused, held:insolvency, held:reply, held:upheld, held:reopened, held:promise, held:asked, held:debtor, decide, judicial, ended, with commas"
   },
   {
    "name": "minBalance",
    "type": "number",
    "text": "Cents open in the company's currency, at least"
   },
   {
    "name": "risk",
    "type": "string",
    "values": [
     "low",
     "medium",
     "high",
     "critical"
    ],
    "text": "Only debtors of this risk"
   },
   {
    "name": "nextFrom",
    "type": "string",
    "text": "The next contact is in this quarter hour or later"
   },
   {
    "name": "nextTo",
    "type": "string",
    "text": "The same, in this quarter hour or earlier"
   },
   {
    "name": "parked",
    "type": "string",
    "values": [
     "true"
    ],
    "text": "Debtors whose wake-up failed again and again, until somebody looks"
   },
   {
    "name": "include",
    "type": "string",
    "values": [
     "account"
    ],
    "text": "`account`: what is open and what comes next"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a debtor",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "include",
    "type": "string",
    "text": "`sameAddress`: the other records that share its email or phone. `account`: what is open, what comes next and what may be done; needs the scopes invoices:read and workflow:read. `score`: the risk score. `people`: who can be spoken to, and what is known of each address. Several with commas"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the sentences of the score; default that of your company"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.create",
  "method": "POST",
  "answers": "record",
  "summary": "Create a debtor",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "isRequired": true,
    "text": "Its name"
   },
   {
    "name": "email",
    "type": "string",
    "isRequired": true,
    "text": "The email address"
   },
   {
    "name": "phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "siret",
    "type": "string",
    "text": "The 14 digits of a French establishment"
   },
   {
    "name": "address",
    "type": "string",
    "text": "Street and number; lines are kept"
   },
   {
    "name": "city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "country",
    "type": "string",
    "text": "ISO 3166-1 alpha-2"
   },
   {
    "name": "type",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Whether it is a business, a consumer or a public body"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "The language of what is written and said"
   },
   {
    "name": "insolvency.kind",
    "type": "string",
    "values": [
     "safeguard",
     "receivership",
     "liquidation",
     "over_indebtedness",
     "other"
    ],
    "text": "What kind it is"
   },
   {
    "name": "insolvency.openedOn",
    "type": "string",
    "text": "The day of the opening judgment or decision; not in the future"
   },
   {
    "name": "insolvency.publishedOn",
    "type": "string",
    "text": "In the BODACC, or of the letter of the commission: the time to declare begins"
   },
   {
    "name": "insolvency.court",
    "type": "string",
    "text": "The court that opened the proceedings"
   },
   {
    "name": "insolvency.practitioner",
    "type": "string",
    "text": "Who takes the declarations, with the address"
   },
   {
    "name": "insolvency.declaredOn",
    "type": "string",
    "text": "When the claim was declared: no more warnings"
   },
   {
    "name": "insolvency.declarationProof",
    "type": "string",
    "text": "What proves it, such as a tracking number"
   },
   {
    "name": "notes",
    "type": "string",
    "text": "Internal; the debtor can ask for a copy"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change a debtor; messages not yet sent go to the new address",
  "text": "With `insolvency` every started recovery of the debtor pauses at once; cleared, they go on. A corrected address releases what waited because the old one belonged to somebody else, or refused a message.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "text": "Its name"
   },
   {
    "name": "email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "siret",
    "type": "string",
    "text": "The 14 digits of a French establishment"
   },
   {
    "name": "address",
    "type": "string",
    "text": "Street and number; lines are kept"
   },
   {
    "name": "city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "country",
    "type": "string",
    "text": "Cleared, it is FR"
   },
   {
    "name": "type",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Cleared, it is what a new debtor would get"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Cleared, it is that of the company"
   },
   {
    "name": "insolvency.kind",
    "type": "string",
    "values": [
     "safeguard",
     "receivership",
     "liquidation",
     "over_indebtedness",
     "other"
    ],
    "text": "What kind it is"
   },
   {
    "name": "insolvency.openedOn",
    "type": "string",
    "text": "The day of the opening judgment or decision; not in the future"
   },
   {
    "name": "insolvency.publishedOn",
    "type": "string",
    "text": "In the BODACC, or of the letter of the commission: the time to declare begins"
   },
   {
    "name": "insolvency.court",
    "type": "string",
    "text": "The court that opened the proceedings"
   },
   {
    "name": "insolvency.practitioner",
    "type": "string",
    "text": "Who takes the declarations, with the address"
   },
   {
    "name": "insolvency.declaredOn",
    "type": "string",
    "text": "When the claim was declared: no more warnings"
   },
   {
    "name": "insolvency.declarationProof",
    "type": "string",
    "text": "What proves it, such as a tracking number"
   },
   {
    "name": "notes",
    "type": "string",
    "text": "Internal; the debtor can ask for a copy"
   },
   {
    "name": "inChargeId",
    "type": "string",
    "text": "A person of the company, from GET /api/v1/team"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.people",
  "method": "GET",
  "answers": "record",
  "summary": "List the people who can be spoken to at a debtor, and what is known of their addresses",
  "text": "Messages go to the main address of a channel only, `email` and `phone` of the debtor: more people never get more messages.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.replies",
  "method": "GET",
  "answers": "list",
  "summary": "List what a debtor answered, the newest first, with the text while it is kept",
  "text": "What was chosen on a page, said in a call or written. The assistant and MCP cannot read it: it is written by strangers.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.addPerson",
  "method": "POST",
  "answers": "record",
  "summary": "Add somebody who can be spoken to at a debtor",
  "text": "Only the main address of a channel is written to, and the limits count for the debtor. With `mainFor` messages not yet sent go to the new person. If the main address of a company or a public body refused a message, they do without it too.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "isRequired": true,
    "text": "The name of the person"
   },
   {
    "name": "role",
    "type": "string",
    "isRequired": true,
    "values": [
     "accounting",
     "buyer",
     "manager",
     "other",
     "guardian",
     "heir",
     "lawyer"
    ],
    "text": "At a company or a public body: accounting, buyer, manager, other. At a consumer: guardian, heir, lawyer, with `ground`"
   },
   {
    "name": "ground",
    "type": "string",
    "text": "Of a guardian, an heir or a lawyer: why they may be told of the debt; required of them"
   },
   {
    "name": "email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "The language of what is written and said"
   },
   {
    "name": "mainFor",
    "type": "list",
    "values": [
     "email",
     "phone"
    ],
    "text": "Become the main person here: their address takes the place of `email` or `phone` of the debtor. Who was it stays, with the old address. Other channels do not change"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.changePerson",
  "method": "PUT",
  "answers": "record",
  "summary": "Change somebody at a debtor, or make them the main person of a channel",
  "text": "What a main person is reached at is `email` or `phone` of the debtor: messages not yet sent go to the new address, and links sent to the old one stop working. The limits count for the debtor, so a new address gets no message earlier.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "personId",
    "text": "The id of the person"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "text": "The name of the person"
   },
   {
    "name": "role",
    "type": "string",
    "values": [
     "accounting",
     "buyer",
     "manager",
     "other",
     "guardian",
     "heir",
     "lawyer"
    ],
    "text": "At a company or a public body: accounting, buyer, manager, other. At a consumer: guardian, heir, lawyer, with `ground`"
   },
   {
    "name": "ground",
    "type": "string",
    "text": "Of a guardian, an heir or a lawyer: why they may be told of the debt; required of them"
   },
   {
    "name": "email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "The language of what is written and said"
   },
   {
    "name": "mainFor",
    "type": "list",
    "values": [
     "email",
     "phone"
    ],
    "text": "Become the main person here: their address takes the place of `email` or `phone` of the debtor. Who was it stays, with the old address. Other channels do not change"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.removePerson",
  "method": "DELETE",
  "answers": "record",
  "summary": "Remove somebody from the people of a debtor",
  "text": "A main person is replaced first. What was sent stays in the history, and a closed address stays closed.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "personId",
    "text": "The id of the person"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.invoices",
  "method": "GET",
  "answers": "list",
  "summary": "List the invoices of a debtor, the newest first",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.score",
  "method": "GET",
  "answers": "record",
  "summary": "Read the risk score of a debtor",
  "text": "From 0 to 195: thirteen criteria of up to 15 points, from what this debtor did with your invoices in 24 months and from nothing else. Always as of now. `scoring:read` alone is enough, too.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the sentences; default that of your company"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.contacts",
  "method": "GET",
  "answers": "record",
  "summary": "Read every contact made with a debtor, with the proof that none was changed or removed",
  "text": "Each entry carries the hash of the one before it. The whole chain is checked at every reading; `page` and `limit` choose which entries are shown.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.timeline",
  "method": "GET",
  "answers": "list",
  "summary": "Read what happened with a debtor, the newest first",
  "text": "Messages, what people and Relance did about them, promises, disputes, answers, money and notes, of all invoices. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the previous page: continues with older entries"
   },
   {
    "name": "lang",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the sentences"
   },
   {
    "name": "kind",
    "type": "string",
    "values": [
     "message",
     "action",
     "money",
     "note"
    ],
    "text": "Only lines of this kind"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.calendar",
  "method": "GET",
  "answers": "record",
  "summary": "Read when a debtor may be contacted, on each channel, to the minute, and by which rule not",
  "text": "Up to 42 days, in pieces of time that are open or closed by one rule, with the contacts made and planned. Stops, providers that fail and daily limits are not part of the pieces.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "from",
    "type": "string",
    "text": "First day, where the debtor is; today if left out"
   },
   {
    "name": "to",
    "type": "string",
    "text": "Last day; 28 days in all if left out, 42 at most"
   },
   {
    "name": "back",
    "type": "number",
    "text": "Without `from`: begins so many days before today, and is as much longer"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the names of public holidays and their places"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.optOut",
  "method": "POST",
  "answers": "record",
  "summary": "Close a channel for a debtor who does not want to be contacted that way",
  "text": "It holds for the record and for the address the channel uses, so also for other records with the same email or phone. Messages on that channel not yet handed to a provider are cancelled; steps that need it are skipped, except the formal notice, which falls back to another channel if there is one.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "channel",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "By which channel"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "What the person said; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.readReply",
  "method": "POST",
  "answers": "record",
  "summary": "Mark the reply of a debtor as read: the reminders continue",
  "text": "A reply holds every recovery of the debtor from the moment it was heard (`reply.received`), because it may be a dispute. With the last unread reply the hold ends, and what is planned is moved by its length. Marking it again gives the same answer and changes nothing.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "replyId",
    "text": "The id of the reply"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.closeReply",
  "method": "POST",
  "answers": "record",
  "summary": "Close a reply: record what it means, answer it, and mark it as read, at once",
  "text": "Does what `invoices.promise`, `debtors.pause`, `invoices.dispute` or `debtors.wrongPerson` does, in one transaction with the reading. The answer counts in no limit of contacts, and keeps the contact hours. A reported situation is decided instead: `POST /api/v1/debtors/:id/situations/:situationId/decide`.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "replyId",
    "text": "The id of the reply"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "outcome",
    "type": "string",
    "isRequired": true,
    "values": [
     "promise",
     "says_paid",
     "dispute",
     "wrong_person",
     "other"
    ],
    "text": "What the reply means. promise, dispute: recorded for each of `invoiceIds`. says_paid: the reminders wait, and no payment is recorded. wrong_person: the address that answered is never used again. other: nothing but reading"
   },
   {
    "name": "invoiceIds",
    "type": "list",
    "text": "With promise and dispute"
   },
   {
    "name": "date",
    "type": "string",
    "text": "With promise: the day of the payment"
   },
   {
    "name": "until",
    "type": "string",
    "text": "With says_paid: when the reminders go on; 7 days unless given, 30 at most. A pause that lasts longer keeps its end"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "With dispute, required: what the debtor says; their page shows it. With promise, says_paid and wrong_person: kept in the history"
   },
   {
    "name": "answer.text",
    "type": "string",
    "text": "The text"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.recordDataRequest",
  "method": "POST",
  "answers": "record",
  "summary": "Record that a person objects to the use of their data, or asks to restrict it",
  "text": "Every reminder waits, also for later invoices, until the request is refused or lifted. A week before `dueOn`, or at once if less is left, `debtor.request_due` is emitted.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "kind",
    "type": "string",
    "isRequired": true,
    "values": [
     "objection",
     "restriction"
    ],
    "text": "What kind it is"
   },
   {
    "name": "receivedOn",
    "type": "string",
    "text": "Today if absent"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.decideDataRequest",
  "method": "POST",
  "answers": "record",
  "summary": "Record the decision about a request: granted, refused, or later lifted",
  "text": "The reminders go on when no request is open or granted. Tell the person yourself, with your reasons if you refuse, and before you lift a restriction (art. 12(4), 18(3) GDPR).",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "requestId",
    "text": "The id of the request that did it; null where it was no request"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "decision",
    "type": "string",
    "isRequired": true,
    "values": [
     "granted",
     "refused",
     "lifted"
    ],
    "text": "What was decided; null while it is open"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.dataRequests",
  "method": "GET",
  "answers": "record",
  "summary": "List what a person asked about their data, the newest first",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.addNote",
  "method": "POST",
  "answers": "record",
  "summary": "Write a note about a debtor, perhaps with a day to come back",
  "text": "Notes are never changed; the timelines show them. With `comeBackOn` the debtor leaves the list of work until that day, or until something new waits for a person. A note ends the come-back of every earlier one.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "text",
    "type": "string",
    "isRequired": true,
    "text": "Internal; the debtor can ask for a copy"
   },
   {
    "name": "comeBackOn",
    "type": "string",
    "text": "The day on which the debtor is in the list of work again; until then it is put off, unless something new happens. Today or later"
   },
   {
    "name": "invoiceId",
    "type": "string",
    "text": "The invoice of the debtor that it is about"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.endComeBack",
  "method": "POST",
  "answers": "record",
  "summary": "The day to come back of a note is done with",
  "text": "The note stays. Doing it again changes nothing.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "noteId",
    "text": "The id of the note"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "debtors.notes",
  "method": "GET",
  "answers": "list",
  "summary": "List the notes about a debtor, the newest first",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.statement",
  "method": "GET",
  "answers": "file",
  "summary": "Download the statement of account of a debtor: all its open invoices",
  "text": "The 500 invoices that are due first; the document says how many more there are. A disputed invoice is marked, and in no sum to pay. A time-barred one of a consumer is left out.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Left out: that of the debtor"
   }
  ],
  "body": null
 },
 {
  "id": "debtors.reportSituation",
  "method": "POST",
  "answers": "record",
  "summary": "Record a situation of a debtor that you were told of: nothing is sent until it is decided",
  "text": "As if the debtor had reported it on their page: every recovery waits for `POST /api/v1/debtors/:id/situations/:situationId/decide`. The same situation told again while it waits is one.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "situation",
    "type": "string",
    "isRequired": true,
    "values": [
     "insolvency",
     "deceased",
     "identity_theft",
     "protected_person"
    ],
    "text": "What the debtor reported; nobody had checked it"
   },
   {
    "name": "channel",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "How it was told: voice is also in person, lrar any letter"
   },
   {
    "name": "note",
    "type": "string",
    "text": "Who told it, and what; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.decideSituation",
  "method": "POST",
  "answers": "record",
  "summary": "Record what a reported situation of a debtor means; nothing else ends its hold",
  "text": "Over-indebtedness and insolvency are confirmed by recording the proceedings (`PUT /api/v1/debtors/:id`), a death and a minor or protected person by `representative`.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "situationId",
    "text": "The reported situation"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "decision",
    "type": "string",
    "isRequired": true,
    "values": [
     "representative",
     "identity_theft",
     "not_confirmed"
    ],
    "text": "identity_theft: true, and the invoices of the message are disputed; without a message, every open one. not_confirmed: the debtor is told if they reported it, and the reminders may go on"
   },
   {
    "name": "representative.name",
    "type": "string",
    "text": "Its name"
   },
   {
    "name": "representative.email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "representative.phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "representative.address",
    "type": "string",
    "text": "Street and number; lines are kept"
   },
   {
    "name": "representative.postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "representative.city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "note",
    "type": "string",
    "text": "What was checked; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.wrongPerson",
  "method": "POST",
  "answers": "record",
  "summary": "Say that an address belongs to somebody else: it is never used again, and recoveries wait",
  "text": "Every started recovery of every debtor with that email or phone pauses at once. It goes on when the address of its debtor is corrected (`PUT /api/v1/debtors/:id`).",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "point",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "phone"
    ],
    "text": "Which address belongs to somebody else"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "What the person said; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.retryAddress",
  "method": "POST",
  "answers": "record",
  "summary": "Say that an address that refused a message is right: it is tried again",
  "text": "What waited for it is planned from today, for every debtor that has that email or phone. A wrong address is corrected with `PUT /api/v1/debtors/:id`, which releases it too. An address that refused nothing answers the same, and nothing changes.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "channel",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "The channel that is closed because its address refused a message"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Why the address is right; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.promise",
  "method": "POST",
  "answers": "record",
  "summary": "Record that the debtor promises to pay several invoices on one day",
  "text": "Each invoice gets a promise of its balance, as with `POST /api/v1/invoices/:id/promise`, and all of them in one transaction. Each is kept or broken by itself.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "date",
    "type": "string",
    "isRequired": true,
    "text": "Today or later where the debtor is, at most 60 days ahead"
   },
   {
    "name": "invoiceIds",
    "type": "list",
    "text": "For which invoices of the debtor. Left out, for all that are open: those that take no promise are named in `withoutPromise`"
   },
   {
    "name": "note",
    "type": "string",
    "text": "What was said; kept in the history"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "debtors.pause",
  "method": "POST",
  "answers": "record",
  "summary": "Pause every recovery of a debtor, also those that come later",
  "text": "Takes effect with the answer: after it nothing is sent but the messages it names as in flight, and answers to the debtor. A debtor that is paused already gets the new end.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "until",
    "type": "string",
    "text": "When it ends by itself; without it, it lasts until it is ended"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history; the debtor can ask for a copy"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ]
 },
 {
  "id": "debtors.resume",
  "method": "POST",
  "answers": "record",
  "summary": "End the pause of a debtor: its recoveries go on, planned from today",
  "text": "What is planned is moved by the length of the pause. A debtor that is not paused answers the same, and nothing changes. A request about personal data goes on holding the reminders.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history; the debtor can ask for a copy"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ]
 },
 {
  "id": "payments.list",
  "method": "GET",
  "answers": "list",
  "summary": "List payments, the newest first",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "status",
    "type": "string",
    "values": [
     "pending",
     "completed",
     "failed",
     "refunded"
    ],
    "text": "Only payments in this state"
   },
   {
    "name": "fromDate",
    "type": "string",
    "text": "Day of payment, else of creation, in the company's zone"
   },
   {
    "name": "toDate",
    "type": "string",
    "text": "Not after this day"
   },
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Only payments of this invoice"
   },
   {
    "name": "receiptId",
    "type": "string",
    "text": "The payments of one sum received for several invoices"
   }
  ],
  "body": null
 },
 {
  "id": "payments.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a payment",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "payments.ofInvoice",
  "method": "GET",
  "answers": "list",
  "summary": "List the payments of an invoice, the oldest first",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "payments.create",
  "method": "POST",
  "answers": "record",
  "summary": "Record a payment, received or pending",
  "text": "The invoice's balance and status and its recovery follow in the same transaction: when it is paid, nothing more is sent from the answer on, but for the messages named in `inFlight`. A message that states the old sum and has not left is written again.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the invoice"
   },
   {
    "name": "amountCents",
    "type": "number",
    "isRequired": true,
    "text": "The sum, in cents"
   },
   {
    "name": "method",
    "type": "string",
    "isRequired": true,
    "values": [
     "card",
     "bank_transfer",
     "sepa_debit",
     "payment_link"
    ],
    "text": "How it was paid"
   },
   {
    "name": "instrument",
    "type": "string",
    "values": [
     "cheque"
    ],
    "text": "What was handed over. A cheque has the method `bank_transfer`"
   },
   {
    "name": "paidAt",
    "type": "string",
    "text": "Default now; not in the future"
   },
   {
    "name": "externalReference",
    "type": "string",
    "text": "Unique for the invoice: the same money is never recorded twice"
   },
   {
    "name": "status",
    "type": "string",
    "values": [
     "completed",
     "pending"
    ],
    "text": "Its state"
   },
   {
    "name": "currency",
    "type": "string",
    "text": "The invoice's; anything else is refused"
   },
   {
    "name": "allowOverpayment",
    "type": "boolean",
    "text": "Record money beyond what is owed: the rest of the invoice, and what was claimed for late payment. A dry run with it tells the excess"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "payments.receive",
  "method": "POST",
  "answers": "record",
  "summary": "Record one sum that pays several invoices of a debtor",
  "text": "A transfer or a cheque for several invoices. It is stored as one payment per invoice, all with the same `receiptId`, in one transaction; each can be refunded by itself. Without `split` the invoices that are due first are paid first, disputed ones last; no invoice that is closed or before a court is proposed. More than is owed is refused unless `allowOverpayment` is true.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "debtorId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the debtor"
   },
   {
    "name": "amountCents",
    "type": "number",
    "isRequired": true,
    "text": "The sum, in cents"
   },
   {
    "name": "method",
    "type": "string",
    "isRequired": true,
    "values": [
     "card",
     "bank_transfer",
     "sepa_debit",
     "payment_link"
    ],
    "text": "How it was paid"
   },
   {
    "name": "instrument",
    "type": "string",
    "values": [
     "cheque"
    ],
    "text": "What was handed over. A cheque has the method `bank_transfer`"
   },
   {
    "name": "paidAt",
    "type": "string",
    "text": "Default now; not in the future"
   },
   {
    "name": "externalReference",
    "type": "string",
    "text": "Unique for the invoice: the same money is never recorded twice"
   },
   {
    "name": "currency",
    "type": "string",
    "text": "The company's unless given; invoices in other currencies are not paid"
   },
   {
    "name": "split",
    "type": "json",
    "text": "What each invoice gets, each invoice once; together at most the sum. Left out, the invoices that are due first are paid first"
   },
   {
    "name": "allowOverpayment",
    "type": "boolean",
    "text": "Record money beyond what is owed. What the split leaves over is recorded on its last invoice. A dry run with it tells the excess"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Answers what would become of the debtor, and changes nothing"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "payments.settle",
  "method": "PUT",
  "answers": "record",
  "summary": "Say that a pending payment arrived or failed",
  "text": "Only from pending. A payment that arrived is given back with `POST …/refund`, and taken back by the bank with `POST …/reverse`.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "status",
    "type": "string",
    "isRequired": true,
    "values": [
     "completed",
     "failed"
    ],
    "text": "The new state"
   },
   {
    "name": "failureReason",
    "type": "string",
    "text": "Why the payment failed"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "payments.refund",
  "method": "POST",
  "answers": "record",
  "summary": "Record a refund; moves no money itself",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "text": "Why the money is given back"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ]
 },
 {
  "id": "payments.reverse",
  "method": "POST",
  "answers": "record",
  "summary": "Record that the bank took a payment back: a returned debit or a chargeback",
  "text": "Only from completed. The payment becomes failed, and what it had paid is owed again.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "failureReason",
    "type": "string",
    "text": "Why the bank took it back"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ]
 },
 {
  "id": "payments.summary",
  "method": "GET",
  "answers": "record",
  "summary": "Amounts collected in the current period",
  "params": [],
  "query": [
   {
    "name": "period",
    "type": "string",
    "values": [
     "day",
     "week",
     "month",
     "year"
    ],
    "text": "The days that are summed up, up to now"
   }
  ],
  "body": null
 },
 {
  "id": "workflow.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read where the recovery of an invoice stands",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "workflow.history",
  "method": "GET",
  "answers": "list",
  "summary": "Read what was done in a recovery, the oldest first",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "communications.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a message as it was sent, with its receipts and its proof",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "communications.acknowledge",
  "method": "POST",
  "answers": "record",
  "summary": "A person has seen that the outcome of a message is unknown",
  "text": "It leaves the list of work. Its state stays, until its provider says more. Doing it again changes nothing.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "communications.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the messages of a day or of an hour, the newest first",
  "text": "What was sent, and what failed. A quarter hour of `GET /api/v1/reports/today` is found by `sentFrom` and `sentTo`. A message whose sending became known more than 15 minutes after it was decided is listed by the moment of the decision.",
  "params": [],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the previous page: continues with older entries"
   },
   {
    "name": "sentFrom",
    "type": "string",
    "text": "Without it, a day before `sentTo`"
   },
   {
    "name": "sentTo",
    "type": "string",
    "text": "Not included; without it, a day after `sentFrom`, or now"
   },
   {
    "name": "channel",
    "type": "string",
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "By which channel"
   },
   {
    "name": "state",
    "type": "string",
    "values": [
     "sent",
     "delivered",
     "bounced",
     "failed",
     "unknown"
    ],
    "text": "`unknown` without `sentFrom` and `sentTo`: all that still wait for a person"
   }
  ],
  "body": null
 },
 {
  "id": "workflow.nextAction",
  "method": "GET",
  "answers": "record",
  "summary": "Read the next planned action of a recovery and why it is planned for then",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "workflow.plan",
  "method": "GET",
  "answers": "record",
  "summary": "Read every action that is still to come, with its date, its channel and each reason it was moved",
  "text": "A forecast: it assumes that every message is accepted and that nothing is paid or answered. It includes the other open invoices of the debtor, because they share one contact a day.",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "workflow.preview",
  "method": "POST",
  "answers": "record",
  "summary": "Work out the plan of an invoice that does not exist yet; writes nothing",
  "text": "Takes the body of `POST /api/v1/invoices`, or as much of it as is known. The same rules as for a real one. Without `debtor.id` it plans for a debtor who was never contacted: days are exact as things stand, and the hour within a day is an example (`precision` is `day`). With it, what was sent to this debtor and what waits for it counts too.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "amountCents",
    "type": "number",
    "isRequired": true,
    "text": "The sum, in cents"
   },
   {
    "name": "dueDate",
    "type": "string",
    "isRequired": true,
    "text": "The last day to pay without being late"
   },
   {
    "name": "debtor.id",
    "type": "string",
    "text": "Its id, a UUID"
   },
   {
    "name": "debtor.name",
    "type": "string",
    "text": "Its name"
   },
   {
    "name": "debtor.email",
    "type": "string",
    "text": "The email address"
   },
   {
    "name": "debtor.phone",
    "type": "string",
    "text": "The telephone number, in international format"
   },
   {
    "name": "debtor.siret",
    "type": "string",
    "text": "The 14 digits of a French establishment"
   },
   {
    "name": "debtor.address",
    "type": "string",
    "text": "Street and number; lines are kept"
   },
   {
    "name": "debtor.city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "debtor.postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "debtor.country",
    "type": "string",
    "text": "ISO 3166-1 alpha-2"
   },
   {
    "name": "debtor.type",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Whether it is a business, a consumer or a public body"
   },
   {
    "name": "debtor.language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "The language of what is written and said"
   },
   {
    "name": "currency",
    "type": "string",
    "text": "ISO 4217, with two decimals; of a company that was set up with another currency, that one"
   },
   {
    "name": "description",
    "type": "string",
    "text": "In the words of the company"
   },
   {
    "name": "metadata",
    "type": "json",
    "text": "Your own data; stored and returned as it is"
   },
   {
    "name": "invoiceNumber",
    "type": "string",
    "text": "The invoice number, as the company wrote it"
   },
   {
    "name": "issueDate",
    "type": "string",
    "text": "The day it was issued"
   },
   {
    "name": "suppliedOn",
    "type": "string",
    "text": "When the supply was completed: the time bar is counted from it; else from issueDate"
   },
   {
    "name": "limitationMonths",
    "type": "number",
    "text": "A special time of the law, such as 12 for carriage; else that of the debtor"
   },
   {
    "name": "startAt",
    "type": "string",
    "text": "When the recovery would start; default now"
   },
   {
    "name": "cascade",
    "type": "string",
    "text": "Name of a cascade, the house’s or your own; default the one that would be chosen"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "workflow.trigger",
  "method": "POST",
  "answers": "record",
  "summary": "Start, pause, resume, cancel or escalate a recovery",
  "text": "Takes effect with the answer. Escalate jumps to the next more intrusive step, at the next allowed moment; before the first contact was sent there is none to jump from (BIZ_004, `first_contact_pending`), and a step that waits for that moment already cannot be moved (`already_escalated`). When none is left, or the time of the formal notice is over, it ends the amicable stage (status `judicial`): nothing is filed. That needs a formal notice whose receipt is proven, or `noticeReceived`.",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "action",
    "type": "string",
    "isRequired": true,
    "values": [
     "start",
     "pause",
     "resume",
     "cancel",
     "escalate"
    ],
    "text": "What to do with the recovery"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history; the debtor can ask for a copy"
   },
   {
    "name": "noticeReceived",
    "type": "boolean",
    "text": "With escalate only: the creditor confirms that the debtor received the formal notice; kept in the history"
   },
   {
    "name": "until",
    "type": "string",
    "text": "With pause only: when it ends by itself"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "workflow.communicate",
  "method": "POST",
  "answers": "record",
  "summary": "Send one message beside the cascade, at the next allowed moment",
  "text": "The contact rules hold for it. It executes no step unless `replaceNextStep` asks for it, and makes no other message leave earlier; a pause, a cancellation or a payment in full cancels it.",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "channel",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "`lrar` needs the scope lrar:send, every other channel notifications:send"
   },
   {
    "name": "at",
    "type": "string",
    "text": "Not before; default now"
   },
   {
    "name": "replaceNextStep",
    "type": "boolean",
    "text": "Instead of the next step"
   },
   {
    "name": "template",
    "type": "string",
    "values": [
     "extra_message",
     "written_message",
     "account_statement"
    ],
    "text": "extra_message: our reminder, by default; written_message: the words of `text`, by default if there is one, by email or text message; account_statement: a list of all open invoices, by email"
   },
   {
    "name": "subject",
    "type": "string",
    "text": "After the creditor’s name, which always stands first; of an email with `text` or a list"
   },
   {
    "name": "text",
    "type": "string",
    "text": "What the message says; each line is a paragraph. It may hold the placeholders of the templates. Who writes, the sum, the link and what the law wants stand around it. Threats, added sums, links and bank accounts are refused"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "workflow.recordFiling",
  "method": "POST",
  "answers": "record",
  "summary": "Record that the claim was filed with a court, or served, with its proof",
  "text": "The program files nothing. The limitation, by estimate, starts again on the day of service if it is in time; a reminder or a formal notice moves nothing.",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "filedOn",
    "type": "string",
    "text": "When it was filed with a court"
   },
   {
    "name": "filingProof",
    "type": "string",
    "text": "What proves it: the number the court gave it"
   },
   {
    "name": "servedOn",
    "type": "string",
    "text": "When it was served on the debtor"
   },
   {
    "name": "serviceProof",
    "type": "string",
    "text": "What proves it: the reference of the act"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Does everything, answers with the old and the new `plan`, and undoes all of it"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "workflow.takeBack",
  "method": "DELETE",
  "answers": "record",
  "summary": "Take back a message beside the cascade that has not left yet",
  "text": "The id is that of the answer to the request for the message. Once it is being handed to its provider, it cannot be taken back (RES_004, then BIZ_004).",
  "params": [
   {
    "name": "invoiceId",
    "text": "The id of the invoice"
   },
   {
    "name": "communicationId",
    "text": "The id of the message or call"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "workflow.stats",
  "method": "GET",
  "answers": "record",
  "summary": "Recovery statistics: counts by status, time to payment, and success rate",
  "text": "Over all time. The rate counts recoveries, not money: of all that were ever started, running, paused and cancelled ones included, the share that ended paid. A rate over ended ones alone would look best just after an import; how much money came back is in the summary of invoices.",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "reports.today",
  "method": "GET",
  "answers": "record",
  "summary": "What leaves on a day and what has left, what does not and why, and what waits for a person",
  "text": "What is held and what waits is as of now, so only today has it. A day to come has nothing that was sent or collected. A planned message is counted at the moment its debtor is checked next; the contact rules are checked again then.",
  "params": [],
  "query": [
   {
    "name": "date",
    "type": "string",
    "text": "Without it, today"
   }
  ],
  "body": null
 },
 {
  "id": "reports.agedBalance",
  "method": "GET",
  "answers": "record",
  "summary": "What is open, by how long it is overdue and by where it stands",
  "params": [],
  "query": [
   {
    "name": "edges",
    "type": "string",
    "text": "The last day of each bucket, in days past the due date"
   },
   {
    "name": "currency",
    "type": "string",
    "text": "Without it, the company's"
   }
  ],
  "body": null
 },
 {
  "id": "reports.sums",
  "method": "GET",
  "answers": "record",
  "summary": "What is overdue, promised and collected, and how that has changed",
  "text": "What was overdue on earlier days is written each night, in a sandbox each time its clock is advanced: days before the first writing have none.",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "work.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the debtors with something that waits for a person, by what they owe and for how long",
  "text": "One row per debtor: a reply to read, a dispute or a recovery to decide, an address to correct. Every task follows from a fact and ends with it. The order is the open sum times the days overdue of the oldest invoice. At most 10,000 facts of a kind and 10,000 debtors are looked at.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "group",
    "type": "string",
    "values": [
     "decisions",
     "replies",
     "disputes",
     "promises",
     "addresses",
     "messages",
     "follow_ups"
    ],
    "text": "Only debtors with a task of this group"
   },
   {
    "name": "inCharge",
    "type": "string",
    "text": "`me`, `none`, or the id of a person. With a key, which is no person, `me` finds nothing"
   },
   {
    "name": "later",
    "type": "string",
    "values": [
     "true"
    ],
    "text": "Those put off to a later day; without it, they are left out"
   }
  ],
  "body": null
 },
 {
  "id": "work.summary",
  "method": "GET",
  "answers": "record",
  "summary": "Count the debtors with something that waits for a person, by group",
  "text": "The counts are those of the rows of GET /api/v1/work with the same filter.",
  "params": [],
  "query": [
   {
    "name": "inCharge",
    "type": "string",
    "text": "`me`, `none`, or the id of a person. With a key, which is no person, `me` finds nothing"
   }
  ],
  "body": null
 },
 {
  "id": "tasks.bulk",
  "method": "POST",
  "answers": "record",
  "summary": "Pause, resume, start, cancel, escalate, write off or message many invoices",
  "text": "Answers at once with a task; `GET /api/v1/tasks/:id` shows how far it is, and `task.finished` tells when it is done. Each invoice is judged by itself, as the operation for one invoice does it, with the scopes of that operation. With `dryRun` it judges only, and waits for `POST …/start`.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "action",
    "type": "string",
    "isRequired": true,
    "values": [
     "start",
     "pause",
     "resume",
     "cancel",
     "escalate",
     "write_off",
     "message"
    ],
    "text": "What to do with each invoice"
   },
   {
    "name": "ids",
    "type": "list",
    "text": "Invoices; either these or a filter"
   },
   {
    "name": "filter.status",
    "type": "string",
    "values": [
     "draft",
     "imported",
     "lrar_sent",
     "in_recovery",
     "paid",
     "partial",
     "disputed",
     "written_off",
     "judicial",
     "cancelled"
    ],
    "text": "Only invoices in this state"
   },
   {
    "name": "filter.debtorId",
    "type": "string",
    "text": "Only invoices of this debtor"
   },
   {
    "name": "filter.fromDate",
    "type": "string",
    "text": "Issue date from, inclusive"
   },
   {
    "name": "filter.toDate",
    "type": "string",
    "text": "Issue date to, inclusive"
   },
   {
    "name": "filter.minAmount",
    "type": "number",
    "text": "Only invoices of this sum or more, in cents"
   },
   {
    "name": "filter.maxAmount",
    "type": "number",
    "text": "Only invoices of this sum or less, in cents"
   },
   {
    "name": "filter.standing",
    "type": "list",
    "values": [
     "pending",
     "running",
     "held:situation",
     "held:dispute",
     "held:wrong_person",
     "held:address_refused",
     "held:insolvency",
     "held:reply",
     "held:upheld",
     "held:reopened",
     "held:promise",
     "held:asked",
     "held:debtor",
     "decide",
     "judicial",
     "ended"
    ],
    "text": "Where it stands; one or more of pending, running, held:situation, held:dispute, held:wrong_person, held:address_refused, held:insolvency, held:reply, held:upheld, held:reopened, held:promise, held:asked, held:debtor, decide, judicial, ended"
   },
   {
    "name": "filter.dueFrom",
    "type": "string",
    "text": "Due date from, inclusive"
   },
   {
    "name": "filter.dueTo",
    "type": "string",
    "text": "Due date to, inclusive"
   },
   {
    "name": "filter.overdueMin",
    "type": "number",
    "text": "Days past the due date, at least; negative: before it"
   },
   {
    "name": "filter.overdueMax",
    "type": "number",
    "text": "Days past the due date, at most"
   },
   {
    "name": "filter.workflowStatus",
    "type": "string",
    "values": [
     "pending",
     "in_recovery",
     "paused",
     "judicial"
    ],
    "text": "Status of the recovery; for those that ended use `status`"
   },
   {
    "name": "filter.step",
    "type": "string",
    "text": "The step at which an open recovery stands"
   },
   {
    "name": "filter.nextFrom",
    "type": "string",
    "text": "Its next message is in this quarter hour or later"
   },
   {
    "name": "filter.nextTo",
    "type": "string",
    "text": "The same, in this quarter hour or earlier"
   },
   {
    "name": "filter.reasonCode",
    "type": "string",
    "text": "Why the next action is when it is, or why there is none"
   },
   {
    "name": "filter.debtorType",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "The kind of its debtor"
   },
   {
    "name": "filter.search",
    "type": "string",
    "text": "Part of the number or of the debtor's name"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Judge every item and change nothing; the task then waits in review until it is started"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the history; not with write_off and message"
   },
   {
    "name": "until",
    "type": "string",
    "text": "With pause only: when it ends by itself"
   },
   {
    "name": "basis",
    "type": "string",
    "values": [
     "amicable_failed",
     "liquidation",
     "untraceable",
     "enforcement_failed",
     "time_barred"
    ],
    "text": "With write_off: why the debts are irrecoverable"
   },
   {
    "name": "note",
    "type": "string",
    "text": "With write_off: printed in the attestations"
   },
   {
    "name": "channel",
    "type": "string",
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "With message"
   },
   {
    "name": "at",
    "type": "string",
    "text": "With message: not before"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "tasks.import",
  "method": "POST",
  "answers": "record",
  "summary": "Import a file of invoices: CSV, XLSX or NDJSON, up to 50 MB",
  "text": "Send the file itself as the body. It is read and every row is judged, then the task waits in `review`: nothing is created before `POST …/start`. Common faults of French files are corrected and listed; rows that cannot be read are refused with their line and the cause. It counts towards the `storage` of the company.",
  "params": [],
  "query": [
   {
    "name": "fileName",
    "type": "string",
    "text": "Shown with the task; the format is detected from the content"
   },
   {
    "name": "autoStartWorkflow",
    "type": "boolean",
    "text": "Start the recovery of each invoice that is created"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the causes and reports"
   }
  ],
  "body": "file"
 },
 {
  "id": "tasks.map",
  "method": "PUT",
  "answers": "record",
  "summary": "Say which sheet of an imported file is read, or what its columns are",
  "text": "While the import is in review. The rows are judged again. A mapping of columns is remembered for every file with the same titles.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "columns",
    "type": "json",
    "text": "Each field once, with its column. It replaces the whole mapping."
   },
   {
    "name": "sheet",
    "type": "string",
    "text": "The sheet of the workbook to read instead, by its name; without `columns`"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "tasks.undo",
  "method": "POST",
  "answers": "record",
  "summary": "Undo an import: delete the invoices it created, as long as no message has left",
  "text": "Answers with a task of its own. An invoice for which a message has left, or to which a payment belongs, stays and is named. Debtors stay.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "tasks.export",
  "method": "POST",
  "answers": "record",
  "summary": "Export invoices, debtors, payments, contacts, the audit log or accounting entries as a file",
  "text": "Answers at once with a task; when it is finished, its `file` has a link that works for a day, without an API key. What was created after the task is not part of it. Each export needs the scopes with which the same is read by the API; accounting entries need `invoices:read` and `payments:read`, the audit log `webhooks:manage`.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "what",
    "type": "string",
    "isRequired": true,
    "values": [
     "invoices",
     "debtors",
     "payments",
     "contacts",
     "audit",
     "accounting_entries"
    ],
    "text": "What is exported"
   },
   {
    "name": "format",
    "type": "string",
    "isRequired": true,
    "values": [
     "csv",
     "xlsx",
     "ndjson"
    ],
    "text": "`csv`: separated by semicolons, in UTF-8 with a byte order mark, as Excel expects it in France"
   },
   {
    "name": "filter.status",
    "type": "string",
    "values": [
     "draft",
     "imported",
     "lrar_sent",
     "in_recovery",
     "paid",
     "partial",
     "disputed",
     "written_off",
     "judicial",
     "cancelled"
    ],
    "text": "Only invoices in this state"
   },
   {
    "name": "filter.debtorId",
    "type": "string",
    "text": "Only invoices of this debtor"
   },
   {
    "name": "filter.fromDate",
    "type": "string",
    "text": "Issue date from, inclusive"
   },
   {
    "name": "filter.toDate",
    "type": "string",
    "text": "Issue date to, inclusive"
   },
   {
    "name": "filter.minAmount",
    "type": "number",
    "text": "Only invoices of this sum or more, in cents"
   },
   {
    "name": "filter.maxAmount",
    "type": "number",
    "text": "Only invoices of this sum or less, in cents"
   },
   {
    "name": "filter.standing",
    "type": "list",
    "values": [
     "pending",
     "running",
     "held:situation",
     "held:dispute",
     "held:wrong_person",
     "held:address_refused",
     "held:insolvency",
     "held:reply",
     "held:upheld",
     "held:reopened",
     "held:promise",
     "held:asked",
     "held:debtor",
     "decide",
     "judicial",
     "ended"
    ],
    "text": "Where it stands; one or more of pending, running, held:situation, held:dispute, held:wrong_person, held:address_refused, held:insolvency, held:reply, held:upheld, held:reopened, held:promise, held:asked, held:debtor, decide, judicial, ended"
   },
   {
    "name": "filter.dueFrom",
    "type": "string",
    "text": "Due date from, inclusive"
   },
   {
    "name": "filter.dueTo",
    "type": "string",
    "text": "Due date to, inclusive"
   },
   {
    "name": "filter.overdueMin",
    "type": "number",
    "text": "Days past the due date, at least; negative: before it"
   },
   {
    "name": "filter.overdueMax",
    "type": "number",
    "text": "Days past the due date, at most"
   },
   {
    "name": "filter.workflowStatus",
    "type": "string",
    "values": [
     "pending",
     "in_recovery",
     "paused",
     "judicial"
    ],
    "text": "Status of the recovery; for those that ended use `status`"
   },
   {
    "name": "filter.step",
    "type": "string",
    "text": "The step at which an open recovery stands"
   },
   {
    "name": "filter.nextFrom",
    "type": "string",
    "text": "Its next message is in this quarter hour or later"
   },
   {
    "name": "filter.nextTo",
    "type": "string",
    "text": "The same, in this quarter hour or earlier"
   },
   {
    "name": "filter.reasonCode",
    "type": "string",
    "text": "Why the next action is when it is, or why there is none"
   },
   {
    "name": "filter.debtorType",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "The kind of its debtor"
   },
   {
    "name": "filter.search",
    "type": "string",
    "text": "Part of the number or of the debtor's name"
   },
   {
    "name": "fromDate",
    "type": "string",
    "text": "From this day on; not with invoices. Of a debtor the day it was created, of a payment the day it counts for, of a contact and of the audit log the day it happened, of an accounting entry its date; in the time zone of the company"
   },
   {
    "name": "toDate",
    "type": "string",
    "text": "Up to this day, inclusive; not with invoices"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "tasks.erase",
  "method": "POST",
  "answers": "record",
  "summary": "Erase a person: their names, addresses, numbers, texts and documents",
  "text": "Cannot be undone. Refused while an invoice of the debtor is not closed. Sums, counts and the proof of contacts stay, without the person. Data that accounting law requires is kept, but blocked; `report` says until when. A person who opted out is never written to again. Other records with the same email are named in `report`, and not erased. With `dryRun` it says what would be kept, and waits for `POST …/start`.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "debtorId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the debtor"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "For your own records; name nobody here"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "text": "Say what would be kept; start then erases"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "tasks.access",
  "method": "POST",
  "answers": "record",
  "summary": "Gather everything that is held about a person, as one ZIP",
  "text": "For the answer to a request under art. 15 or 20 GDPR: pages to read in the language of the person (PDF), one JSON file per kind of data, and documents as they were. The file is deleted after a day.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "debtorId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the debtor"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "tasks.list",
  "method": "GET",
  "answers": "list",
  "summary": "List tasks, the newest first",
  "text": "Only tasks whose scopes the caller has. A task is kept for 30 days after its end.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "status",
    "type": "string",
    "values": [
     "waiting",
     "running",
     "review",
     "finished",
     "failed",
     "cancelled"
    ],
    "text": "Only tasks in this state"
   },
   {
    "name": "kind",
    "type": "string",
    "values": [
     "bulk",
     "import",
     "undo",
     "export",
     "erase",
     "access"
    ],
    "text": "Only tasks of this kind"
   }
  ],
  "body": null
 },
 {
  "id": "tasks.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a task: how far it is, and what came of it",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "tasks.items",
  "method": "GET",
  "answers": "list",
  "summary": "List what became of each item of a task",
  "text": "In the order of their ids, or of the lines of an imported file; of a task in review, what would become of them. The rows of an export are in its file, and not listed.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "only",
    "type": "string",
    "values": [
     "refused"
    ],
    "text": "Leave out what succeeded"
   }
  ],
  "body": null
 },
 {
  "id": "tasks.start",
  "method": "POST",
  "answers": "record",
  "summary": "Start a task that is in review",
  "text": "Each item is judged again at the moment it is done: what has changed since the dry run counts. A task that was stopped goes on where it stopped. Who starts a task becomes its maker: it is judged with their scopes, and stops when they may not do it any more.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "tasks.cancel",
  "method": "POST",
  "answers": "record",
  "summary": "Cancel a task: nothing more of it is done after the answer",
  "text": "What was done before stays done; the items say what. Its file and the cells of an import are deleted. For who made or started it, and for owners and managers; a key or an application may also cancel what another key or application made.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "agent.chat",
  "method": "POST",
  "answers": "record",
  "summary": "Send a message to the assistant",
  "text": "It uses the other operations as you, with your scopes and within your limits. Reads are answered at once. Anything that changes, sends, costs or ends something is only prepared, and carried out when you return the token as `context.confirm` or answer with a plain yes or oui. With `Accept: text/event-stream` the answer comes as events.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "message",
    "type": "string",
    "isRequired": true,
    "text": "What you say, in any language"
   },
   {
    "name": "conversationId",
    "type": "string",
    "text": "Continues a conversation; without it a new one begins"
   },
   {
    "name": "context",
    "type": "json",
    "text": "Your own data for the assistant"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "agent.conversations",
  "method": "GET",
  "answers": "list",
  "summary": "List your conversations with the assistant, the latest first",
  "text": "Only conversations that this credential opened.",
  "params": [],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "offset",
    "type": "number",
    "text": "How many items to leave out before the page"
   }
  ],
  "body": null
 },
 {
  "id": "agent.conversation",
  "method": "GET",
  "answers": "record",
  "summary": "Read a conversation with the assistant, with all its messages",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "cascades.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the cascades, your own first, each in its present version",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "cascades.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a cascade with its earlier versions",
  "params": [
   {
    "name": "name",
    "text": "Its name"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "cascades.create",
  "method": "POST",
  "answers": "record",
  "summary": "Create a cascade of your own; new recoveries that it applies to use it",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "isRequired": true,
    "text": "The name of the cascade, or of a step"
   },
   {
    "name": "steps",
    "type": "json",
    "isRequired": true,
    "text": "From `email_prise_en_charge` on day 0 to `revue_judiciaire`; days count from the start, at least 3 between two steps and 8 after the formal notice"
   },
   {
    "name": "applies.debtorTypes",
    "type": "list",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Only for these kinds of debtors"
   },
   {
    "name": "applies.minAmountCents",
    "type": "number",
    "text": "Only from this sum on, in cents"
   },
   {
    "name": "applies.maxAmountCents",
    "type": "number",
    "text": "Only up to this sum, in cents"
   },
   {
    "name": "applies.minScore",
    "type": "number",
    "text": "Only from this score on"
   },
   {
    "name": "applies.maxScore",
    "type": "number",
    "text": "Only up to this score"
   },
   {
    "name": "enabled",
    "type": "boolean",
    "text": "Whether it is in use"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "cascades.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change a cascade: new recoveries take the new version, running ones keep theirs",
  "text": "Switching it on or off makes no new version.",
  "params": [
   {
    "name": "name",
    "text": "Its name"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "steps",
    "type": "json",
    "text": "From `email_prise_en_charge` on day 0 to `revue_judiciaire`; days count from the start, at least 3 between two steps and 8 after the formal notice"
   },
   {
    "name": "applies.debtorTypes",
    "type": "list",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "Only for these kinds of debtors"
   },
   {
    "name": "applies.minAmountCents",
    "type": "number",
    "text": "Only from this sum on, in cents"
   },
   {
    "name": "applies.maxAmountCents",
    "type": "number",
    "text": "Only up to this sum, in cents"
   },
   {
    "name": "applies.minScore",
    "type": "number",
    "text": "Only from this score on"
   },
   {
    "name": "applies.maxScore",
    "type": "number",
    "text": "Only up to this score"
   },
   {
    "name": "enabled",
    "type": "boolean",
    "text": "Whether it is in use"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "claimLists.create",
  "method": "POST",
  "answers": "record",
  "summary": "Accept a list of claims that your collector recovers for you",
  "text": "Sums are those of today, principal and accessories apart. While a mandate is recorded, nothing is sent for an invoice that no list since its day contains.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "acceptedBy",
    "type": "string",
    "isRequired": true,
    "text": "Name and function, for the company"
   },
   {
    "name": "claims",
    "type": "json",
    "isRequired": true,
    "text": "Each invoice once"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "claimLists.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a list of claims, with the sums of its day",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "claimLists.pdf",
  "method": "GET",
  "answers": "file",
  "summary": "Download a list of claims as a document to sign, for the file of the mandate",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "templates.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the messages debtors receive, by step, channel and language, with the words you may replace",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "templates.preview",
  "method": "POST",
  "answers": "record",
  "summary": "Show a message as a debtor would receive it; sends nothing and writes nothing",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "id",
    "type": "string",
    "isRequired": true,
    "text": "Its id, a UUID"
   },
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Whose message it would be; absent: about a sample"
   },
   {
    "name": "subject",
    "type": "string",
    "text": "What stands after the creditor’s name; null: our words"
   },
   {
    "name": "opening",
    "type": "string",
    "text": "The first paragraph; null: our words"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "templates.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Put words of your own in place of the subject or the opening of a message",
  "text": "They hold from the next message on. Everything else stays: who writes, the sums, the link, how to dispute, what happens to data. Threats, courts, added sums, links and bank accounts are refused.",
  "params": [
   {
    "name": "id",
    "text": "The id of the template: message, channel and language"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "subject",
    "type": "string",
    "text": "What stands after the creditor’s name; null: our words"
   },
   {
    "name": "opening",
    "type": "string",
    "text": "The first paragraph; null: our words"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "templates.reset",
  "method": "DELETE",
  "answers": "record",
  "summary": "Bring our words back into a message",
  "params": [
   {
    "name": "id",
    "text": "The id of the template: message, channel and language"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "company.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read the company and its settings in this environment",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "company.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change the settings of the company in this environment",
  "text": "They apply at once: a message that is about to be sent is already checked and written with them. Where money goes (legalName, iban, accountHolder, replyEmail, telephone, paymentAccount) and the mediator are changed in production by an owner who has signed in, on the page /account/company, or by the operator: by a key or a token it is refused. In the sandbox a key changes everything.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "legalName",
    "type": "string",
    "text": "The registered name"
   },
   {
    "name": "address",
    "type": "string",
    "text": "Street and number of the company, or of its mediator"
   },
   {
    "name": "postalCode",
    "type": "string",
    "text": "The postal code"
   },
   {
    "name": "city",
    "type": "string",
    "text": "The town"
   },
   {
    "name": "siren",
    "type": "string",
    "text": "The 9 digits of a French company"
   },
   {
    "name": "legalForm",
    "type": "string",
    "text": "The legal form, such as SARL"
   },
   {
    "name": "rcs",
    "type": "string",
    "text": "The entry in the register of commerce"
   },
   {
    "name": "mediator.name",
    "type": "string",
    "text": "The name of the mediator"
   },
   {
    "name": "mediator.address",
    "type": "string",
    "text": "Street and number of the company, or of its mediator"
   },
   {
    "name": "mediator.website",
    "type": "string",
    "text": "The address of the website"
   },
   {
    "name": "iban",
    "type": "string",
    "text": "The account that debtors pay to"
   },
   {
    "name": "accountHolder",
    "type": "string",
    "text": "Whose account it is"
   },
   {
    "name": "replyEmail",
    "type": "string",
    "text": "Where debtors write to"
   },
   {
    "name": "telephone",
    "type": "string",
    "text": "Where debtors call"
   },
   {
    "name": "contractRateBps",
    "type": "number",
    "text": "The rate of late payment interest in the contract, in hundredths of a percent"
   },
   {
    "name": "courtConsent",
    "type": "boolean",
    "text": "Whether the company agreed that letters may announce court proceedings"
   },
   {
    "name": "claimsLatePayment",
    "type": "boolean",
    "text": "Whether the 40 € and the interest for late payment are claimed"
   },
   {
    "name": "paymentAccount",
    "type": "string",
    "text": "The account at the card payment provider"
   },
   {
    "name": "defaultDebtorType",
    "type": "string",
    "values": [
     "business",
     "consumer",
     "public_body"
    ],
    "text": "The kind of a debtor whose kind was not given"
   },
   {
    "name": "keepMonths",
    "type": "number",
    "text": "Months debtors are kept after their last invoice was closed; public bodies 48 at most"
   },
   {
    "name": "keepMonthsConsumers",
    "type": "number",
    "text": "For how many months consumers are kept after their last invoice was closed"
   },
   {
    "name": "keepReplyDays",
    "type": "number",
    "text": "How many days after it was read the text of a reply is kept"
   },
   {
    "name": "caps.contactsPerWeek",
    "type": "number",
    "text": "The most contacts in seven rolling days (7 × 24 hours, to the minute)"
   },
   {
    "name": "caps.contactsPerMonth",
    "type": "number",
    "text": "The most contacts in thirty rolling days"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "company.setLogo",
  "method": "PUT",
  "answers": "record",
  "summary": "Set the logo that debtors see in emails, letters and on their page",
  "text": "The format is detected from the content, not from a declared type. In production an owner sets it, soon after signing in; once debtors could pay, it waits 24 hours unless a second owner confirms it.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "image",
    "type": "string",
    "isRequired": true,
    "text": "PNG or JPEG, 200 KB and 2000 pixels a side at most, in base64"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "company.deleteLogo",
  "method": "DELETE",
  "answers": "record",
  "summary": "Remove the logo; again: nothing changes",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "company.stopSending",
  "method": "POST",
  "answers": "record",
  "summary": "Stop everything that is sent to debtors for the company, in this environment",
  "text": "After the answer nothing leaves but the messages it names as in flight. What comes due waits. The stop is checked when a debtor is processed, when a message is claimed and when it leaves; payments, disputes and imports go on.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "isRequired": true,
    "text": "Kept with the stop, for whoever asks why nothing is sent"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "company.resumeSending",
  "method": "POST",
  "answers": "record",
  "summary": "End the stop of the company’s own sending",
  "text": "What waited is looked at again, one debtor after the other, and goes at its next allowed moment. What a person stopped, a person starts again, in their own session. A stop of the operator is not ended.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "reason",
    "type": "string",
    "text": "Kept in the audit log"
   }
  ]
 },
 {
  "id": "search.find",
  "method": "GET",
  "answers": "record",
  "summary": "Find debtors and invoices by a number, a name, an email, a SIRET or an id",
  "text": "Up to eight of each, the newest first; an invoice with exactly that number comes before all others. With fewer than three characters, only an invoice with exactly that number is found.",
  "params": [],
  "query": [
   {
    "name": "q",
    "type": "string",
    "text": "What to look for; without it nothing is found"
   }
  ],
  "body": null
 },
 {
  "id": "webhooks.list",
  "method": "GET",
  "answers": "list",
  "summary": "List your webhooks, the newest first",
  "text": "Those whose events the caller may read.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "webhooks.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read a webhook, without its secret",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "webhooks.create",
  "method": "POST",
  "answers": "record",
  "summary": "Create a webhook: events are delivered to your URL",
  "text": "Only this answer contains the secret that signs every delivery. A URL whose host does not resolve yet is accepted with the warning `url_not_resolving`. At most 50 webhooks. Each event needs its read scope; a key with an expiry date or an IP whitelist cannot create webhooks. The webhook ends with the key, application or consent that saved it last.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "url",
    "type": "string",
    "isRequired": true,
    "text": "https, a public host, port 443 or one from 1024 up, no user name or password"
   },
   {
    "name": "events",
    "type": "list",
    "isRequired": true,
    "values": [
     "invoice.created",
     "invoice.updated",
     "invoice.status_changed",
     "payment.received",
     "payment.failed",
     "debt.paid",
     "workflow.started",
     "workflow.action_triggered",
     "workflow.completed",
     "lrar.sent",
     "lrar.delivered",
     "debtor.contacted",
     "cascade.action",
     "judicial.started",
     "anr.created",
     "promise.recorded",
     "promise.broken",
     "dispute.opened",
     "dispute.resolved",
     "message.bounced",
     "debtor.opted_out",
     "debtor.wrong_person",
     "reply.received",
     "reply.closed",
     "debtor.request_due",
     "situation.reported",
     "situation.decided",
     "insolvency.declaration_due",
     "workflow.paused",
     "decision.due",
     "limitation.approaching",
     "task.finished",
     "task.failed"
    ],
    "text": "Which events are delivered"
   },
   {
    "name": "description",
    "type": "string",
    "text": "In the words of the company"
   },
   {
    "name": "enabled",
    "type": "boolean",
    "text": "Whether it is in use"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "webhooks.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change a webhook, or switch it on or off",
  "text": "A change of `events` applies to future events; queued deliveries are still made. `enabled: false` drops queued deliveries and ends a recovery; `enabled: true` also clears the count of failures. Use `POST …/recover` to redeliver events missed while the webhook was disabled. Whoever saves it takes it over and needs the read scope of each of its events. A key with an expiry or a whitelist cannot take it over, and may still disable it.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "url",
    "type": "string",
    "text": "https, a public host, port 443 or one from 1024 up, no user name or password"
   },
   {
    "name": "events",
    "type": "list",
    "values": [
     "invoice.created",
     "invoice.updated",
     "invoice.status_changed",
     "payment.received",
     "payment.failed",
     "debt.paid",
     "workflow.started",
     "workflow.action_triggered",
     "workflow.completed",
     "lrar.sent",
     "lrar.delivered",
     "debtor.contacted",
     "cascade.action",
     "judicial.started",
     "anr.created",
     "promise.recorded",
     "promise.broken",
     "dispute.opened",
     "dispute.resolved",
     "message.bounced",
     "debtor.opted_out",
     "debtor.wrong_person",
     "reply.received",
     "reply.closed",
     "debtor.request_due",
     "situation.reported",
     "situation.decided",
     "insolvency.declaration_due",
     "workflow.paused",
     "decision.due",
     "limitation.approaching",
     "task.finished",
     "task.failed"
    ],
    "text": "Which events are delivered"
   },
   {
    "name": "description",
    "type": "string",
    "text": "In the words of the company"
   },
   {
    "name": "enabled",
    "type": "boolean",
    "text": "Whether it is in use"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "webhooks.delete",
  "method": "DELETE",
  "answers": "record",
  "summary": "Delete a webhook and everything that is still queued for it",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "webhooks.rotateSecret",
  "method": "POST",
  "answers": "record",
  "summary": "Exchange the secret of a webhook for a new one",
  "text": "The old secret is invalid at once: all further deliveries, including retries, are signed with the new one.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "webhooks.deliveries",
  "method": "GET",
  "answers": "list",
  "summary": "List the deliveries of a webhook, the newest event first",
  "text": "A delivery is listed from its first attempt on, and changes in place with each further one.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "offset",
    "type": "number",
    "text": "How many items to leave out before the page"
   },
   {
    "name": "status",
    "type": "string",
    "values": [
     "delivered",
     "failed"
    ],
    "text": "Only deliveries that ended so"
   }
  ],
  "body": null
 },
 {
  "id": "webhooks.test",
  "method": "POST",
  "answers": "record",
  "summary": "Send one signed example to the endpoint now, and return what it answered",
  "text": "Also while the webhook is disabled, and for any event. Never retried, and not counted among its failures; listed with `test: true`. `data` of the body is the example of the event.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "event",
    "type": "string",
    "values": [
     "invoice.created",
     "invoice.updated",
     "invoice.status_changed",
     "payment.received",
     "payment.failed",
     "debt.paid",
     "workflow.started",
     "workflow.action_triggered",
     "workflow.completed",
     "lrar.sent",
     "lrar.delivered",
     "debtor.contacted",
     "cascade.action",
     "judicial.started",
     "anr.created",
     "promise.recorded",
     "promise.broken",
     "dispute.opened",
     "dispute.resolved",
     "message.bounced",
     "debtor.opted_out",
     "debtor.wrong_person",
     "reply.received",
     "reply.closed",
     "debtor.request_due",
     "situation.reported",
     "situation.decided",
     "insolvency.declaration_due",
     "workflow.paused",
     "decision.due",
     "limitation.approaching",
     "task.finished",
     "task.failed"
    ],
    "text": "Default `invoice.created` if the webhook has it, else the first of its events"
   }
  ]
 },
 {
  "id": "webhooks.retryDelivery",
  "method": "POST",
  "answers": "record",
  "summary": "Send an event again, whether it was delivered or failed",
  "text": "Queued at once, with the same id and body and a new signature. One that is over gets a new series of five attempts; one that waits for its next attempt gets it now.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   },
   {
    "name": "deliveryId",
    "text": "The id of the delivery, which is the one of its event"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "webhooks.recover",
  "method": "POST",
  "answers": "record",
  "summary": "Redeliver the events a webhook missed since a given time",
  "text": "Every event it subscribes to now, from `since` until now, that was never delivered to it is queued as if it had just happened. `recovering` of the webhook shows the progress. A second request meanwhile extends the period.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "since",
    "type": "string",
    "isRequired": true,
    "text": "Events from this moment on, in real time; at most 30 days ago"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "webhooks.events",
  "method": "GET",
  "answers": "list",
  "summary": "List the events there are, each with its schema and an example",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   }
  ],
  "body": null
 },
 {
  "id": "events.list",
  "method": "GET",
  "answers": "list",
  "summary": "Read events in the order in which they were committed, from a cursor on",
  "text": "The same bodies as webhooks receive, for programs that cannot be called or want to catch up. Returns the events whose read scope the caller has. Store `pagination.nextCursor` and use it for the next request: no event is skipped and none is returned twice. An event appears as soon as no transaction that began before it is still open, usually at once. Events are kept for 90 days.",
  "params": [],
  "query": [
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the request before, also of the last one: it is where to go on later"
   },
   {
    "name": "types",
    "type": "string",
    "text": "Names of events, with commas between; all that the caller may read unless given"
   },
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Only events about this invoice, in the order of `sequence`"
   },
   {
    "name": "start",
    "type": "string",
    "values": [
     "oldest",
     "now"
    ],
    "text": "Where to begin without a cursor: with the oldest event that is kept, or with what happens from now on"
   }
  ],
  "body": null
 },
 {
  "id": "apiKeys.create",
  "method": "POST",
  "answers": "record",
  "summary": "Create a key with the same or fewer permissions than yours",
  "text": "It can have only scopes, addresses and an expiry within those of your key. A tenant has 100 enabled keys at most.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "text": "What the key is for"
   },
   {
    "name": "scopes",
    "type": "list",
    "values": [
     "invoices:read",
     "invoices:write",
     "invoices:delete",
     "debtors:read",
     "debtors:write",
     "payments:read",
     "payments:write",
     "workflow:read",
     "workflow:trigger",
     "webhooks:manage",
     "reports:read",
     "agent:chat",
     "lrar:send",
     "notifications:send",
     "scoring:read",
     "company:manage",
     "texts:manage"
    ],
    "text": "Scopes that you have yourself; default all of them"
   },
   {
    "name": "ipWhitelist",
    "type": "list",
    "text": "Addresses and ranges the key may be used from; empty: any. Within those of your own key; default the same. IPv4 and IPv6 are separate: `0.0.0.0/0` is every IPv4 address and no other"
   },
   {
    "name": "expiresAt",
    "type": "string",
    "text": "Not after that of your own key; default the same"
   },
   {
    "name": "environment",
    "type": "string",
    "values": [
     "production",
     "sandbox"
    ],
    "text": "That of your own key"
   }
  ]
 },
 {
  "id": "apiKeys.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the keys of this environment, the newest first, masked",
  "text": "Deleted and rotated keys stay in the list with `enabled` false.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   }
  ],
  "body": null
 },
 {
  "id": "apiKeys.rotate",
  "method": "POST",
  "answers": "record",
  "summary": "Replace a key by a new one with the same settings; the old one is disabled at once",
  "text": "Replace keys every 90 days; to do so without an interruption, create a new one first and delete the old one later. The new key has a new id, and the webhooks of the old one. A key may rotate itself; the answer then cannot be requested again.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "apiKeys.delete",
  "method": "DELETE",
  "answers": "record",
  "summary": "Deactivate a key immediately; it stays in the list",
  "text": "Repeating it gives the same answer. Webhooks that it saved last are disabled with it. A key may delete itself, even the last one: only the operator can then create another.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "oauthClients.create",
  "method": "POST",
  "answers": "record",
  "summary": "Register an application that gets its own access tokens, or asks people for theirs",
  "text": "It can have only scopes you have, and acts in the environment of your credential. A tenant has 100 enabled clients at most.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "isRequired": true,
    "text": "Shown to those who are asked for their consent"
   },
   {
    "name": "redirectUris",
    "type": "list",
    "text": "Where people are sent back to after they agreed"
   },
   {
    "name": "scopes",
    "type": "list",
    "isRequired": true,
    "values": [
     "invoices:read",
     "invoices:write",
     "invoices:delete",
     "debtors:read",
     "debtors:write",
     "payments:read",
     "payments:write",
     "workflow:read",
     "workflow:trigger",
     "webhooks:manage",
     "reports:read",
     "agent:chat",
     "lrar:send",
     "notifications:send",
     "scoring:read",
     "company:manage",
     "texts:manage"
    ],
    "text": "Scopes that you have yourself: the application cannot give anybody more"
   },
   {
    "name": "grantTypes",
    "type": "list",
    "isRequired": true,
    "values": [
     "client_credentials",
     "authorization_code",
     "refresh_token"
    ],
    "text": "`refresh_token` only with `authorization_code`"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "oauthClients.list",
  "method": "GET",
  "answers": "list",
  "summary": "List the OAuth clients of this environment, the newest first, without their secrets",
  "text": "Deleted clients stay in the list with `enabled` false.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   }
  ],
  "body": null
 },
 {
  "id": "oauthClients.get",
  "method": "GET",
  "answers": "record",
  "summary": "Read an OAuth client, without its secret",
  "params": [
   {
    "name": "id",
    "text": "The `clientId`; case-sensitive"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "oauthClients.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Change an OAuth client",
  "text": "A removed scope is withdrawn at once from every token, including those in use; an added scope applies to new consents and new tokens only.",
  "params": [
   {
    "name": "id",
    "text": "The `clientId`; case-sensitive"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "name",
    "type": "string",
    "text": "Shown to those who are asked for their consent"
   },
   {
    "name": "redirectUris",
    "type": "list",
    "text": "Where people may be sent back to, compared letter by letter; at least one for `authorization_code`"
   },
   {
    "name": "scopes",
    "type": "list",
    "values": [
     "invoices:read",
     "invoices:write",
     "invoices:delete",
     "debtors:read",
     "debtors:write",
     "payments:read",
     "payments:write",
     "workflow:read",
     "workflow:trigger",
     "webhooks:manage",
     "reports:read",
     "agent:chat",
     "lrar:send",
     "notifications:send",
     "scoring:read",
     "company:manage",
     "texts:manage"
    ],
    "text": "Scopes that you have yourself: the application cannot give anybody more"
   },
   {
    "name": "grantTypes",
    "type": "list",
    "values": [
     "client_credentials",
     "authorization_code",
     "refresh_token"
    ],
    "text": "`refresh_token` only with `authorization_code`"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "oauthClients.delete",
  "method": "DELETE",
  "answers": "record",
  "summary": "Delete an OAuth client, with all its tokens and consents",
  "text": "Takes effect at once; it stays in the list as disabled. Repeating it gives the same answer.",
  "params": [
   {
    "name": "id",
    "text": "The `clientId`; case-sensitive"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "oauthClients.rotateSecret",
  "method": "POST",
  "answers": "record",
  "summary": "Exchange the secret of an OAuth client for a new one",
  "text": "The old secret is invalid at once. Access tokens already issued remain valid for up to an hour; delete the client to end them too.",
  "params": [
   {
    "name": "id",
    "text": "The `clientId`; case-sensitive"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "team.list",
  "method": "GET",
  "answers": "record",
  "summary": "The people of the company: name and role, to tell who did what",
  "text": "In the order they joined, 500 at most. Their addresses, and who is invited, are in GET /api/v1/members.",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "members.list",
  "method": "GET",
  "answers": "record",
  "summary": "Who belongs to the company, and who is invited to it",
  "text": "Members in the order they joined, open invitations with the newest first: 500 and 50 at most.",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "members.invite",
  "method": "POST",
  "answers": "record",
  "summary": "Invite somebody to the company by mail",
  "text": "The link in the mail is valid for seven days and works once. A new invitation withdraws the older one to the same address. 50 may be open, and 100 be sent within a day; one address is sent five within an hour, by all companies together.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "email",
    "type": "string",
    "isRequired": true,
    "text": "The email address"
   },
   {
    "name": "role",
    "type": "string",
    "isRequired": true,
    "values": [
     "owner",
     "manager",
     "agent",
     "viewer",
     "developer"
    ],
    "text": "A role with no more permissions than yours, and not owner: owners are added on the account page"
   },
   {
    "name": "language",
    "type": "string",
    "values": [
     "fr",
     "en"
    ],
    "text": "Language of the mail; default that of the company"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "members.withdrawInvitation",
  "method": "DELETE",
  "answers": "record",
  "summary": "Withdraw an invitation: its link stops working",
  "text": "Repeating it gives the same answer.",
  "params": [
   {
    "name": "id",
    "text": "Its id, a UUID"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "members.update",
  "method": "PUT",
  "answers": "record",
  "summary": "Give a member another role",
  "text": "It holds from the next request on, also for the applications that act for them. Only an owner who has signed in can give an owner another role, on the page /account/company; all owners are told by mail.",
  "params": [
   {
    "name": "personId",
    "text": "The id of the person"
   }
  ],
  "query": null,
  "body": [
   {
    "name": "role",
    "type": "string",
    "isRequired": true,
    "values": [
     "owner",
     "manager",
     "agent",
     "viewer",
     "developer"
    ],
    "text": "A role with no more permissions than yours, and not owner: owners are added on the account page"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "members.remove",
  "method": "DELETE",
  "answers": "record",
  "summary": "Remove a member from the company",
  "text": "At once: no application acts for them in this company any more. The keys they made stay, and all owners get a mail that names them. An owner is removed by an owner who has signed in, on the page /account/company; all owners are told by mail.",
  "params": [
   {
    "name": "personId",
    "text": "The id of the person"
   }
  ],
  "query": null,
  "body": null
 },
 {
  "id": "securityEvents.list",
  "method": "GET",
  "answers": "list",
  "summary": "The audit log: who changed money, words, rights or a debtor’s data, and from where; the newest first",
  "text": "Kept for years, six unless the operator says otherwise, and delivered to no webhook. What concerns people is kept in the production environment. A debtor’s data stand in it as digests only.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   }
  ],
  "body": null
 },
 {
  "id": "sandbox.clock",
  "method": "GET",
  "answers": "record",
  "summary": "Read the clock of the sandbox, and whether it is still processing",
  "text": "Sandbox credentials only.",
  "params": [],
  "query": null,
  "body": null
 },
 {
  "id": "sandbox.advance",
  "method": "POST",
  "answers": "record",
  "summary": "Advance the clock of the sandbox, and return what happened",
  "text": "Sandbox credentials only. Everything that comes due happens at its own moment, as it would have: messages, pauses that end, promises that are broken. The clock only goes forward, to the end of 2099; a reset sets it back. The answer waits up to 20 seconds for all of it; one advance at a time.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "advance",
    "type": "string",
    "text": "How far, as an ISO 8601 duration; 366 days at most"
   },
   {
    "name": "to",
    "type": "string",
    "text": "Or until when, in the time of the sandbox"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.messages",
  "method": "GET",
  "answers": "list",
  "summary": "List the messages the sandbox would have sent, the newest first",
  "text": "Sandbox credentials only.",
  "params": [],
  "query": [
   {
    "name": "page",
    "type": "number",
    "text": "Which page; the first is 1"
   },
   {
    "name": "limit",
    "type": "number",
    "text": "The most items on a page"
   },
   {
    "name": "cursor",
    "type": "string",
    "text": "`pagination.nextCursor` of the page before; also in its Link header"
   },
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Only messages about this invoice"
   },
   {
    "name": "channel",
    "type": "string",
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "Only messages on this channel"
   }
  ],
  "body": null
 },
 {
  "id": "sandbox.simulateReply",
  "method": "POST",
  "answers": "record",
  "summary": "Let the debtor answer a message: everything waits until somebody has read it",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   },
   {
    "name": "said",
    "type": "string",
    "values": [
     "payment_sent",
     "invoice_not_received",
     "waiting_approval",
     "hand_over",
     "insolvency",
     "deceased",
     "identity_theft",
     "protected_person"
    ],
    "text": "What was chosen on the page or said in a call; else it was written"
   },
   {
    "name": "text",
    "type": "string",
    "text": "What was written, stored as that of a real mail or text message"
   },
   {
    "name": "subject",
    "type": "string",
    "text": "Its subject"
   },
   {
    "name": "from",
    "type": "string",
    "text": "The address or number of its sender"
   },
   {
    "name": "attachments",
    "type": "json",
    "text": "The names and sizes of its attachments"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateDelivered",
  "method": "POST",
  "answers": "record",
  "summary": "Let a message arrive, or a call be answered",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateBounced",
  "method": "POST",
  "answers": "record",
  "summary": "Let a message come back undelivered",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateNoAnswer",
  "method": "POST",
  "answers": "record",
  "summary": "Let nobody answer a call",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateLrarPresented",
  "method": "POST",
  "answers": "record",
  "summary": "Let a registered letter be presented",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateLrarSigned",
  "method": "POST",
  "answers": "record",
  "summary": "Let a registered letter be signed for",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateLrarRefused",
  "method": "POST",
  "answers": "record",
  "summary": "Let a registered letter be refused",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateLrarUnclaimed",
  "method": "POST",
  "answers": "record",
  "summary": "Let a registered letter lie at the post office until it is returned",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "text": "Of its last message of that kind"
   },
   {
    "name": "communicationId",
    "type": "string",
    "text": "Or of this message"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulatePayment",
  "method": "POST",
  "answers": "record",
  "summary": "Let the debtor pay",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the invoice"
   },
   {
    "name": "amountCents",
    "type": "number",
    "text": "All that is owed unless given"
   },
   {
    "name": "method",
    "type": "string",
    "values": [
     "card",
     "bank_transfer",
     "sepa_debit",
     "payment_link"
    ],
    "text": "How it was paid"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulatePromise",
  "method": "POST",
  "answers": "record",
  "summary": "Let the debtor promise to pay on a day",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the invoice"
   },
   {
    "name": "date",
    "type": "string",
    "text": "In a week unless given"
   },
   {
    "name": "amountCents",
    "type": "number",
    "text": "All that is owed unless given"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateDispute",
  "method": "POST",
  "answers": "record",
  "summary": "Let the debtor dispute an invoice",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "invoiceId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the invoice"
   },
   {
    "name": "reason",
    "type": "string",
    "text": "Why the debtor disputes it, in their words"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateOptOut",
  "method": "POST",
  "answers": "record",
  "summary": "Let the debtor close a channel",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "debtorId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the debtor"
   },
   {
    "name": "channel",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "sms",
     "lrar",
     "voice"
    ],
    "text": "By which channel"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.simulateWrongPerson",
  "method": "POST",
  "answers": "record",
  "summary": "Let somebody answer who is not the debtor",
  "text": "Sandbox credentials only. It happens at the current time of the sandbox.",
  "params": [],
  "query": null,
  "body": [
   {
    "name": "debtorId",
    "type": "string",
    "isRequired": true,
    "text": "The id of the debtor"
   },
   {
    "name": "point",
    "type": "string",
    "isRequired": true,
    "values": [
     "email",
     "phone"
    ],
    "text": "What belongs to somebody else"
   }
  ],
  "isBodyRequired": true
 },
 {
  "id": "sandbox.reset",
  "method": "POST",
  "answers": "record",
  "summary": "Reset the sandbox: delete its debtors, invoices and messages",
  "text": "Sandbox credentials only. Its clock is set back to real time. Its keys, settings and cascades are kept; production is not affected.",
  "params": [],
  "query": null,
  "body": null
 }
]

export const nouns: Readonly<Record<string, string>> = {
 "invoices": "Overdue invoices, each with its debtor",
 "debtors": "Those who owe money, with their contact details",
 "search": "Search for invoices and debtors",
 "payments": "Payments that were received, are pending, failed or were refunded",
 "workflow": "The recovery of an invoice: where it stands, what was done, what comes next",
 "tasks": "Long-running jobs on many invoices, with progress and errors per item",
 "communications": "Messages to debtors, as they were sent",
 "reports": "What leaves today and what does not, and the aged balance",
 "work": "What waits for a person, one line per debtor, made from the facts",
 "agent": "Conversations with the assistant",
 "cascades": "The sequences of steps of a recovery, built in or your own",
 "claimLists": "The claims that your collector recovers for you, as its mandate lists them",
 "templates": "The texts of the messages, and your own versions of them",
 "company": "Your company and its settings in this environment",
 "webhooks": "Signed events delivered to your URLs, and the result of each delivery",
 "events": "Everything that happened, in order, for programs that poll",
 "apiKeys": "Create, rotate and deactivate API keys",
 "oauthClients": "Applications that use access tokens, for themselves or with the consent of a person",
 "oauth": "Access tokens, as the OAuth RFCs define them",
 "mcp": "The operations as tools for other assistants",
 "members": "The members of the company, their roles, and open invitations",
 "team": "The members of the company, by name and role",
 "securityEvents": "The audit log: what was changed, by whom and from where",
 "sandbox": "The clock, messages and simulated events of the sandbox; sandbox credentials only"
}

/** What to do about each error code. */
export const advice: Readonly<Record<string, string>> = {
 "AUTH_001": "Send your key in the `X-API-Key` header, or a token in `Authorization: Bearer`.",
 "AUTH_002": "Check that the key was copied whole, belongs to this environment and has not been revoked or rotated; send only one credential.",
 "AUTH_003": "Ask for a new access token and repeat the request.",
 "AUTH_004": "Use a credential that has every scope listed in `error.requiredScopes`.",
 "AUTH_005": "Call from an address on the key's whitelist, or change the whitelist.",
 "AUTH_006": "Contact the operator: the company was closed, or it signed itself up and is not open for production yet. Its sandbox is open from the start.",
 "AUTH_007": "Use a production credential.",
 "RATE_001": "Wait `Retry-After` seconds, then go on more slowly.",
 "RATE_002": "Wait until the UTC day ends (`Retry-After`), or move to a larger tier.",
 "RATE_003": "Wait for some of your requests to end, then repeat this one.",
 "VAL_001": "Correct the fields named in `error.details`.",
 "VAL_002": "Correct the query parameters named in `error.details`.",
 "VAL_003": "Add the fields named in `error.details`.",
 "VAL_004": "Send well-formed JSON with `Content-Type: application/json`, and UUIDs in the path.",
 "VAL_005": "Send a smaller body: 10 MB for bulk import, 50 MB for a file, 1 MB elsewhere. If the message names the space of your company, make room as it says: `storage` of `GET /api/v1/company` shows it.",
 "RES_001": "Check the identifier and the environment of your key.",
 "RES_002": "Read the existing resource, or choose another unique value.",
 "RES_003": "Read the current state and decide again.",
 "RES_004": "Repeat the same request after `Retry-After` seconds.",
 "BIZ_001": "Nothing is owed on this invoice any more.",
 "BIZ_002": "Use pause, resume, cancel or escalate instead of start or delete.",
 "BIZ_003": "Check `debtor.id`, or send the debtor's data without an id.",
 "BIZ_004": "Read the workflow status: this action is not possible in it.",
 "WH_001": "Check that your endpoint answers below 400 within 10 seconds.",
 "WH_002": "Use a public https URL without user information.",
 "WH_003": "Sign the raw body with the shared secret.",
 "SVC_001": "Repeat the request after `Retry-After` seconds, with the same Idempotency-Key.",
 "SVC_002": "Repeat the request, with the same Idempotency-Key.",
 "SVC_003": "Repeat the request later; if it persists, contact us with the `requestId`.",
 "SYS_001": "Contact us with the `requestId`.",
 "SYS_002": "Repeat the request after `Retry-After` seconds.",
 "SYS_003": "Use the endpoint named in the `Link` header.",
 "FORBIDDEN_FIELD_MODIFICATION": "Of an invoice only `notes` and `metadata` may change after import; `collectorMode` is set by the operator."
}

export const events: Readonly<Record<string, string>> = {
 "invoice.created": "Invoice created or imported",
 "invoice.updated": "Invoice metadata, notes or what its time bar is counted by updated; never carries the text of the notes",
 "invoice.status_changed": "Invoice status changed",
 "payment.received": "Payment received, total or partial",
 "payment.failed": "Payment failed, or was taken back after it had arrived",
 "debt.paid": "Invoice paid in full",
 "workflow.started": "Recovery workflow started",
 "workflow.action_triggered": "Recovery action triggered: accepted by its provider, or failed for good",
 "workflow.completed": "Recovery workflow finished: paid, written off or cancelled",
 "lrar.sent": "LRAR sent: its deposit was accepted",
 "lrar.delivered": "LRAR delivered, acknowledgement received",
 "debtor.contacted": "Debtor contacted, once per message that counts as a contact",
 "cascade.action": "Action on a recovery executed by the assistant, after a person confirmed it",
 "judicial.started": "The amicable stage has ended, and the creditor may go to law; nothing was filed by it",
 "anr.created": "Notice of non-recovery generated",
 "promise.recorded": "The debtor promised to pay on a day, or moved a promise",
 "promise.broken": "A promised payment did not arrive in time",
 "dispute.opened": "The debtor disputes the invoice; its recovery waits",
 "dispute.resolved": "A dispute ended: upheld, rejected or upheld in part",
 "message.bounced": "A message came back, or its address was refused: the address, the number or the postal address does not work",
 "debtor.opted_out": "The debtor does not want to be contacted on a channel any more; reported for the latest invoice",
 "debtor.wrong_person": "An address or number belongs to somebody else; reported for the latest invoice",
 "reply.received": "A person answered a message, on the page or in a call; never carries what they wrote",
 "reply.closed": "A person read a reply and recorded what it means; reported for the latest invoice. What follows from it has events of its own",
 "debtor.request_due": "A request about personal data must be answered within a week; reported for the latest invoice",
 "situation.reported": "A debtor, or a person who was told, reported a situation in which nobody may be reminded; every recovery waits for a decision",
 "situation.decided": "A person decided what a reported situation means; reported for the latest invoice",
 "insolvency.declaration_due": "The time to declare a claim in proceedings ends soon; reported for the latest invoice",
 "workflow.paused": "A recovery was paused: by a person, a promise, a dispute, a reply or what is known of the debtor",
 "decision.due": "A person has to decide how a recovery goes on",
 "limitation.approaching": "The time to claim an invoice in court ends in 12, 6, 3 or 1 months, by estimate",
 "task.finished": "A task has done everything it was asked for",
 "task.failed": "A task could not go on; what it did before stays done"
}
