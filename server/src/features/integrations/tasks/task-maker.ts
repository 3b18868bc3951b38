import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type BoundStatement, sqlState, type Tx } from '../../../kit/db/transaction.ts'
import { rolesWith } from '../../access/roles.ts'
import type { TaskActor, TaskRow } from './schema.ts'

// A separate lock: with locks on the row, later items could overtake a cancellation that waits.
const share = sql(
  'tasks.share',
  'select pg_advisory_xact_lock_shared(hashtextextended($1::uuid::text, 0)), require_task_maker($1, $2, $3)',
)
const askMaker = sql('tasks.maker-may', 'select task_maker_may($1, $2, $3) as may').as<{
  may: boolean | null
}>()

const question = ({ id, scopes }: Pick<TaskRow, 'id' | 'scopes'>, wall: number) =>
  [id, rolesWith(scopes), iso(wall)] as const

/**
 * The first statement of each transaction that works on a task: no cancellation passes it until the commit, and it fails once
 * the maker may not do the task any more.
 */
export const shareTask = (task: Pick<TaskRow, 'id' | 'scopes'>, wall: number): BoundStatement => [
  share,
  question(task, wall),
]

/** Whether an error means that the right of the maker has ended. */
export const hasMakerEnded = (error: unknown): boolean => sqlState(error) === 'RL012'

/** Whether the credential, the consent and the role with which a task was made still allow it. */
export const mayMakerStill = async (tx: Tx, task: TaskRow, wall: number): Promise<boolean> =>
  (await tx.rows(askMaker, question(task, wall)))[0]?.may === true

/** The actor as a task keeps it: its maker, by whose scopes each item is judged. */
export const makerOf = ({ kind, id, companyId, environment, scopes, onBehalfOf }: Actor): TaskActor => ({
  kind,
  id,
  companyId,
  environment,
  scopes,
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})

/** An application made it for a person: then that person is its maker too. */
export const isMaker = ({ kind, id, onBehalfOf }: Actor, maker: TaskActor): boolean =>
  (kind === maker.kind && id === maker.id && onBehalfOf === maker.onBehalfOf) ||
  (kind === 'person' && id === maker.onBehalfOf)

/** A key, or an application that acts for nobody. */
const isProgram = ({ kind, onBehalfOf }: TaskActor | Actor) => kind !== 'person' && onBehalfOf === undefined

/**
 * Who may cancel a task, among those who have its scopes: its maker, owners and managers; and programs what programs made. The
 * role of a program is that of its maker, and is not asked here.
 */
export const mayCancel = (actor: Actor, maker: TaskActor): boolean =>
  isMaker(actor, maker) ||
  (isProgram(actor) ? isProgram(maker) : actor.role === 'owner' || actor.role === 'manager')
