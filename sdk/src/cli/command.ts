/** A field of a body or a query; one within an object has a dot in its name. */
export interface Field {
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'list' | 'json'
  readonly isRequired?: true
  readonly values?: readonly unknown[]
  readonly text?: string
}

export interface Command {
  /** The id of the operation, and the name of the method: `invoices.create`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly answers: 'list' | 'record' | 'file'
  readonly summary: string
  readonly text?: string
  readonly params: readonly {
    readonly name: string
    readonly values?: readonly unknown[]
    readonly text?: string
  }[]
  readonly query: readonly Field[] | null
  readonly body: readonly Field[] | 'file' | null
  readonly isBodyRequired?: true
}
