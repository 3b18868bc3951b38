import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const paper = join(import.meta.dirname, '../../../../docs/demo-history.fr.md')

interface Line {
  at: string
  sentence: string
  action: string | null
  actor: { kind: string }
}

const dayFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const actors: Record<string, string> = {
  worker: 'Relance',
  api_key: 'le créancier, par une clé',
  debtor: 'le débiteur',
}
const steps: Record<string, string> = {
  email_prise_en_charge: 'e-mail de prise en charge',
  relance_email_1: 'première relance',
  sms_reminder: 'rappel par SMS',
  relance_email_2: 'deuxième relance',
  ai_call: 'appel',
  relance_email_3: 'troisième relance',
  lrar_mise_en_demeure: 'mise en demeure',
  ai_call_2: 'second appel',
  email_dernier_avis: 'dernier avis',
  revue_judiciaire: 'décision',
}

/** The story of `npm run demo`. To write the paper again: `npm test -- told-in-french -u`. */
it('the story of the demo, told in French from its codes, is the paper in docs', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({
    invoiceNumber: 'F-2026-0042',
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: lyonDebtor('Durand SARL'),
  })
  await sandbox.advance({ to: '2026-12-18T10:15:00+01:00' })
  await sandbox.simulate('lrar-signed', { invoiceId: id })
  await sandbox.advance({ to: '2027-01-08T11:00:00+01:00' })
  await sandbox.simulate('promise', { invoiceId: id, date: '2027-01-12' })
  await sandbox.advance({ to: '2027-01-12T10:30:00+01:00' })
  await sandbox.simulate('payment', { invoiceId: id })
  const lines = await sandbox.done<Line[]>('GET', `/api/v1/debtors/${debtor.id}/timeline?lang=fr&limit=100`)
  const rows = lines.toReversed().map(({ at, actor, action, sentence }) => {
    const day = dayFormat.format(Date.parse(at))
    return `| ${day} | ${actors[actor.kind]} | ${steps[action ?? ''] ?? ''} | ${sentence} |`
  })
  const text = [
    '# Le recouvrement de la démonstration, raconté par son historique',
    '',
    'La facture F-2026-0042, 1\u202f200,00\u00a0€, est échue depuis un mois quand elle est confiée à Relance, le lundi 16 novembre 2026. Voici ce que dit `GET /api/v1/debtors/:id/timeline?lang=fr`, du plus ancien au plus récent. Un test écrit cette page à partir des codes et vérifie qu’elle dit toujours la même chose ([told-in-french.test.ts](../server/test/scenarios/recovery/told-in-french.test.ts)).',
    '',
    '| jour | par | étape | ce qui s’est passé |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot(paper)
})
