import type { Language } from '../../../receivables/file-rows/row-codes.ts'
import type { TaskRow } from '../schema.ts'

/** The request of an import, as the task stores it. */
export interface ImportRequest {
  fileName: string | null
  bytes: number
  sha256: string
  autoStartWorkflow: boolean
  language: Language
}

export const requestOf = ({ input }: TaskRow): ImportRequest => input as unknown as ImportRequest
export const languageOf = (task: TaskRow): Language => requestOf(task).language
