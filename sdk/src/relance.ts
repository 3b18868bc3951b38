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
   * Hints about what changed, until the signal is aborted. A line that is lost is opened again, and then everything is to be fetched
   * again: `all`. It throws when opening it is refused, as after the end of the session. In a page that has several windows let one
   * of them listen and tell the others: a person has six lines.
   */
  live(options: LiveOptions = {}): AsyncGenerator<Hint, void, undefined> {
    if (!this.#call.hasSession)
      throw new TypeError(
        'Hints are for the session of a person; programs read events.list or have a webhook.',
      )
    return live(this.#call, options)
  }
}
