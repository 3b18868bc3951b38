import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useMay } from './api.ts'

/** The groups of commands in menus, in the palette and in the help. */
export const groups = ['go', 'work', 'debtor', 'invoice', 'company', 'console'] as const
export type Group = (typeof groups)[number]

export interface Command {
  readonly id: string
  readonly group: Group
  /** Its name in menus. */
  readonly fr: string
  readonly en: string
  /** Shortcuts; `g a` is two keys in sequence. */
  readonly keys?: readonly string[]
  /** The operation that it calls: the command is not offered without the permission. */
  readonly needs?: string
}

/**
 * Every command of the console. Menus, the palette, the keys and the help are built from this table. A command is offered while a
 * part of the page registers a handler with `useCommand`.
 */
export const commands = [
  { id: 'go-today', group: 'go', fr: 'Aujourd’hui', en: 'Today', keys: ['g a'] },
  { id: 'go-debtors', group: 'go', fr: 'Clients', en: 'Debtors', keys: ['g d'] },
  { id: 'go-invoices', group: 'go', fr: 'Factures', en: 'Invoices', keys: ['g f'] },
  {
    id: 'import',
    group: 'go',
    fr: 'Importer des factures',
    en: 'Import invoices',
    keys: ['g i'],
    needs: 'tasks.import',
  },
  {
    id: 'new-invoice',
    group: 'go',
    fr: 'Saisir une facture',
    en: 'Enter an invoice',
    needs: 'invoices.create',
  },
  {
    id: 'work-next',
    group: 'work',
    fr: 'Client suivant',
    en: 'Next client',
    keys: ['j'],
  },
  {
    id: 'work-previous',
    group: 'work',
    fr: 'Client précédent',
    en: 'Previous client',
    keys: ['k'],
  },
  { id: 'work-done', group: 'work', fr: 'Terminer la tâche', en: 'Finish the task', keys: ['e'] },
  { id: 'outcome-1', group: 'work', fr: 'Réponse\u00a0: promesse', en: 'Reply: promise', keys: ['1'] },
  {
    id: 'outcome-2',
    group: 'work',
    fr: 'Réponse\u00a0: dit avoir payé',
    en: 'Reply: says it is paid',
    keys: ['2'],
  },
  { id: 'outcome-3', group: 'work', fr: 'Réponse\u00a0: contestation', en: 'Reply: dispute', keys: ['3'] },
  {
    id: 'outcome-4',
    group: 'work',
    fr: 'Réponse\u00a0: mauvais contact',
    en: 'Reply: wrong contact',
    keys: ['4'],
  },
  { id: 'outcome-5', group: 'work', fr: 'Réponse\u00a0: autre', en: 'Reply: other', keys: ['5'] },
  {
    id: 'close-reply',
    group: 'work',
    fr: 'Envoyer et clore',
    en: 'Send and close',
    keys: ['mod+enter'],
    needs: 'debtors.closeReply',
  },
  {
    id: 'note',
    group: 'work',
    fr: 'Ajouter une note',
    en: 'Add a note',
    keys: ['n'],
    needs: 'debtors.addNote',
  },
  {
    id: 'decide-request',
    group: 'work',
    fr: 'Décider de la demande',
    en: 'Decide the request',
    needs: 'debtors.decideDataRequest',
  },
  {
    id: 'pause-debtor',
    group: 'debtor',
    fr: 'Mettre en pause',
    en: 'Pause',
    keys: ['p'],
    needs: 'debtors.pause',
  },
  {
    id: 'resume-debtor',
    group: 'debtor',
    fr: 'Reprendre les relances',
    en: 'Resume',
    keys: ['r'],
    needs: 'debtors.resume',
  },
  {
    id: 'opt-out',
    group: 'debtor',
    fr: 'Ne plus contacter par un canal',
    en: 'Stop using a channel',
    needs: 'debtors.optOut',
  },
  {
    id: 'correct-address',
    group: 'debtor',
    fr: 'Corriger l’adresse',
    en: 'Correct the address',
    needs: 'debtors.update',
  },
  {
    id: 'retry-address',
    group: 'debtor',
    fr: 'Réessayer cette adresse',
    en: 'Try this address again',
    needs: 'debtors.retryAddress',
  },
  {
    id: 'report-situation',
    group: 'debtor',
    fr: 'Signaler une situation',
    en: 'Report a situation',
    needs: 'debtors.reportSituation',
  },
  {
    id: 'decide-situation',
    group: 'debtor',
    fr: 'Enregistrer une décision',
    en: 'Record a decision',
    needs: 'debtors.decideSituation',
  },
  {
    id: 'record-insolvency',
    group: 'debtor',
    fr: 'Enregistrer une procédure',
    en: 'Record proceedings',
    needs: 'debtors.update',
  },
  {
    id: 'end-insolvency',
    group: 'debtor',
    fr: 'Clore la procédure',
    en: 'End the proceedings',
    needs: 'debtors.update',
  },
  {
    id: 'start',
    group: 'invoice',
    fr: 'Démarrer la relance',
    en: 'Start the recovery',
    needs: 'workflow.trigger',
  },
  {
    id: 'pause-invoice',
    group: 'invoice',
    fr: 'Mettre la facture en pause',
    en: 'Pause the invoice',
    keys: ['p'],
    needs: 'workflow.trigger',
  },
  {
    id: 'resume-invoice',
    group: 'invoice',
    fr: 'Reprendre la facture',
    en: 'Resume the invoice',
    keys: ['r'],
    needs: 'workflow.trigger',
  },
  {
    id: 'message',
    group: 'invoice',
    fr: 'Écrire',
    en: 'Write',
    keys: ['m'],
    needs: 'workflow.communicate',
  },
  {
    id: 'take-back',
    group: 'invoice',
    fr: 'Retirer un message prévu',
    en: 'Take back a planned message',
    needs: 'workflow.takeBack',
  },
  {
    id: 'promise',
    group: 'invoice',
    fr: 'Noter une promesse',
    en: 'Record a promise',
    needs: 'invoices.promise',
  },
  {
    id: 'dispute',
    group: 'invoice',
    fr: 'Ouvrir une contestation',
    en: 'Open a dispute',
    needs: 'invoices.dispute',
  },
  {
    id: 'resolve-dispute',
    group: 'invoice',
    fr: 'Clore la contestation',
    en: 'Resolve the dispute',
    needs: 'invoices.resolveDispute',
  },
  {
    id: 'escalate',
    group: 'invoice',
    fr: 'Passer à l’étape plus ferme',
    en: 'Go to the firmer step',
    needs: 'workflow.trigger',
  },
  {
    id: 'payment',
    group: 'invoice',
    fr: 'Saisir un paiement',
    en: 'Record a payment',
    needs: 'payments.create',
  },
  {
    id: 'refund',
    group: 'invoice',
    fr: 'Rembourser un paiement',
    en: 'Refund a payment',
    needs: 'payments.refund',
  },
  { id: 'credit', group: 'invoice', fr: 'Saisir un avoir', en: 'Record a credit', needs: 'invoices.credit' },
  {
    id: 'cancel',
    group: 'invoice',
    fr: 'Clôturer la relance',
    en: 'Cancel the recovery',
    needs: 'invoices.cancel',
  },
  {
    id: 'write-off',
    group: 'invoice',
    fr: 'Classer comme irrécouvrable',
    en: 'Write off the debt',
    needs: 'invoices.writeOff',
  },
  {
    id: 'record-filing',
    group: 'invoice',
    fr: 'Enregistrer un dépôt ou une signification',
    en: 'Record a filing or a service',
    needs: 'workflow.recordFiling',
  },
  {
    id: 'stop-sending',
    group: 'company',
    fr: 'Arrêter tous les envois',
    en: 'Stop all sending',
    needs: 'company.stopSending',
  },
  {
    id: 'resume-sending',
    group: 'company',
    fr: 'Reprendre les envois',
    en: 'Start sending again',
    needs: 'company.resumeSending',
  },
  {
    id: 'other-environment',
    group: 'company',
    fr: 'Passer de la production au mode test, ou revenir',
    en: 'Switch between production and sandbox',
  },
  { id: 'undo', group: 'console', fr: 'Annuler', en: 'Undo', keys: ['u'] },
  {
    id: 'palette',
    group: 'console',
    fr: 'Chercher ou agir',
    en: 'Search or act',
    keys: ['mod+k', '/'],
  },
  { id: 'help', group: 'console', fr: 'Raccourcis', en: 'All keys', keys: ['?'] },
  { id: 'theme', group: 'console', fr: 'Changer entre clair et sombre', en: 'Switch between light and dark' },
  { id: 'language', group: 'console', fr: 'Lire en anglais', en: 'Read in French' },
  { id: 'fold', group: 'console', fr: 'Plier ou déplier la barre', en: 'Fold or unfold the bar' },
  { id: 'account', group: 'console', fr: 'Votre compte', en: 'Your account' },
] as const satisfies readonly Command[]

export type CommandId = (typeof commands)[number]['id']

export const commandOf = (id: CommandId): Command => commands.find(command => command.id === id)!

type Run = () => void
let handlers: readonly (readonly [CommandId, Run, obstacle: string | undefined])[] = []
const listeners = new Set<Run>()

function setHandlers(next: typeof handlers): void {
  handlers = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: Run) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Registers the handler of a command while this part of the page is shown. With null the command is not offered. With an obstacle
 * it is offered as disabled, with that cause.
 */
export function useCommand(id: CommandId, run: Run | null, obstacle?: string): void {
  const latest = useEffectEvent(() => run?.())
  const isOffered = run !== null
  useEffect(() => {
    if (!isOffered) return
    const handler = [id, () => latest(), obstacle] as const
    setHandlers([...handlers, handler])
    return () => setHandlers(handlers.filter(other => other !== handler))
  }, [id, isOffered, obstacle])
}

/** Runs the handler that was registered last. */
export const runCommand = (id: CommandId): void => handlers.findLast(([other]) => other === id)?.[1]()

export interface OfferedCommand extends Command {
  readonly id: CommandId
  readonly obstacle?: string | undefined
}

/** The commands that this user can run on this page, in the order of the table. */
export function useOfferedCommands(): readonly OfferedCommand[] {
  const known = useSyncExternalStore(subscribe, () => handlers)
  const may = useMay()
  return commands.flatMap((command: Command & { id: CommandId }) => {
    const handler = known.findLast(([id]) => id === command.id)
    if (!handler || (command.needs !== undefined && !may(command.needs))) return []
    return [{ ...command, obstacle: handler[2] }]
  })
}
