import { defineError } from '../../../kit/errors.ts'
import { megabytes, type StoredBytes } from './quota.ts'

export const storageFull = defineError(
  'VAL_005',
  ({ usedBytes, quotaBytes }: StoredBytes) =>
    `Files and imports may take ${megabytes(quotaBytes)} in this environment, and take ${megabytes(usedBytes)}; this does not fit. Cancel imports that are in review, wait until files and ended imports are deleted (after a day and after 30 days), or ask the operator for more.`,
)
