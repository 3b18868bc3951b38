import { expect, test } from 'vitest'
import { isStopWord } from './stop-word.ts'

test.each([
  'STOP',
  ' stop. ',
  'Stop svp',
  'STOP SMS',
  'STOPSMS',
  'Arrêt',
  'ARRÊTEZ maintenant !',
  'Désabonner',
  'UNSUBSCRIBE',
  'Cancel',
  'fin',
])('%j asks us to stop', text => expect(isStopWord(text)).toBe(true))

test.each([
  '',
  '…',
  'Bonjour, je paie vendredi',
  'Je ne veux pas vous stopper',
  'Cancel that meeting please',
  'Fin du mois',
  'Don’t stop',
  'non-stop',
])('%j does not', text => expect(isStopWord(text)).toBe(false))
