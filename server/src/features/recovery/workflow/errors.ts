import { defineError } from '../../../kit/errors.ts'

export const stoppedByPerson = defineError('AUTH_004', () => ({
  message:
    'A person stopped the sending of this company, so a person starts it again: an owner or manager who has signed in, in the console.',
  extras: {
    details: [
      { field: 'session', code: 'stopped_by_person', message: 'is done by a person who has signed in' },
    ],
  },
}))
