import { defineError } from '../../../../kit/errors.ts'

export const cascadeNotFound = defineError('RES_001', () => 'There is no such cascade.')

export const cascadeNameTaken = defineError('RES_002', (name: string, isBuiltIn: boolean) =>
  isBuiltIn
    ? `${name} is a built-in cascade; choose another name for your own.`
    : `Cascade ${name} exists already; change it with PUT, or choose another name.`,
)

export const cascadeIsBuiltIn = defineError(
  'RES_003',
  (name: string) => `${name} is built in and does not change; create a cascade of your own with its steps.`,
)

export const tooManyCascades = defineError(
  'RES_003',
  (max: number) => `There are ${max} cascades already, which is the most; change one of them instead.`,
)
