// Made by `npm run generate` from the statements and the migrated schema.
export interface StatementColumns {
  'account-mail.delete': object
  'account-mail.read-owner': {
    name: string
    owner_email: string
    language: string
  }
  'account-mail.take-due': {
    id: string
    tenant_id: string | null
    kind: string
    subject_id: string
    cause_id: string | null
    secret_sealed: string | null
    created_at: number
  }
  'idempotency.delete': object
  'idempotency.find-many': {
    key_hash: Buffer
    request_hash: Buffer
    status: number
    body: string
    is_sealed: boolean
    created_at: number
  }
  'idempotency.save-many': object
  'idempotency.try-lock-many': {
    lock: string | null
    mine: boolean | null
  }
  'tenants.enter': {
    offset_ms: number | null
  }
}
