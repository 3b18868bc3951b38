import { Agent } from './agent.ts'
import { Call } from './call.ts'
import { Resources } from './generated/resources.ts'
import { type Hint, type LiveOptions, live } from './live.ts'
import type { RelanceOptions } from './options.ts'
import { Tasks } from './tasks.ts'

/** The API: one method per operation, by the name of its operation id. */
export class Relance extends Resources {
  override readonly agent: Agent
  override readonly tasks: Tasks
  readonly #call: Call

  constructor(options: RelanceOptions) {
    const call = new Call(options)
    super(call)
    this.#call = call
    this.agent = new Agent(call)
    this.tasks = new Tasks(call)
  }

  /**
   * Hints about changes, until the signal is aborted. A lost connection is opened again and yields `all`: refetch everything.
   * Throws if the server refuses the connection, for example after the end of the session. If a page has several windows, let one
   * of them listen and forward the hints: a user has at most six connections.
   */
  live(options: LiveOptions = {}): AsyncGenerator<Hint, void, undefined> {
    if (!this.#call.hasSession)
      throw new TypeError(
        'Hints are for the session of a person; programs read events.list or have a webhook.',
      )
    return live(this.#call, options)
  }
}
