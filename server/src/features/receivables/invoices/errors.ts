import { defineError } from '../../../kit/errors.ts'

export const recoveryScopeMissing = defineError('AUTH_004', (parameter: string) => ({
  message: `This credential lacks the scope workflow:read, which ${parameter} needs.`,
  extras: { requiredScopes: ['workflow:read' as const] },
}))
