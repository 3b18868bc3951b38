import type { Environment } from '../../lib/api.ts'
import { defineWords } from '../../lib/language.tsx'

export const words = defineWords(
  {
    skip: 'Aller au contenu',
    main: 'Principal',
    phone: 'Barre du bas',
    chooseCompany: 'Changer de société ou d’environnement',
    you: 'Votre compte et vos réglages',
    more: 'Plus',
    search: 'Chercher',
    searchOrAct: 'Chercher ou agir',
    fold: 'Plier la barre',
    unfold: 'Déplier la barre',
    environments: { production: 'Production', sandbox: 'Mode test' } satisfies Record<Environment, string>,
    sandbox: 'Mode test',
    sandboxTime: (moment: string) => `il est ${moment}`,
    sandboxCatchesUp: 'rattrape le temps avancé',
  },
  {
    skip: 'Skip to the content',
    main: 'Main',
    phone: 'Bar at the bottom',
    chooseCompany: 'Change company or environment',
    you: 'Your account and your settings',
    more: 'More',
    search: 'Search',
    searchOrAct: 'Search or act',
    fold: 'Fold the bar',
    unfold: 'Unfold the bar',
    environments: { production: 'Production', sandbox: 'Sandbox' },
    sandbox: 'Sandbox',
    sandboxTime: (moment: string) => `it is ${moment}`,
    sandboxCatchesUp: 'catching up with the time advanced',
  },
)
