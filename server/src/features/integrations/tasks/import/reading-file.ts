import { ApiError } from '../../../../kit/errors.ts'
import { SheetError } from '../../../../kit/sheets/sheet-error.ts'
import { storageFull } from '../../../access/stored-bytes/errors.ts'
import { frenchSheetErrors, frenchStorageFull } from '../../../receivables/file-rows/file-sentences.ts'
import type { TaskRow } from '../schema.ts'
import { TaskFailure } from '../task-work.ts'
import { languageOf } from './import-request.ts'

/** A file that cannot be read, or has no space, ends its task, with the reason in the language of the person. */
export async function readingFile<T>(task: TaskRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isFrench = languageOf(task) === 'fr'
    if (error instanceof ApiError && error.code === storageFull.code)
      throw new TaskFailure(isFrench ? frenchStorageFull : error.message)
    if (!(error instanceof SheetError)) throw error
    throw new TaskFailure(isFrench ? frenchSheetErrors[error.code](error.detail) : error.message)
  }
}
