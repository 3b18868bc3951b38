import { Agent } from './agent.ts'
import { Call } from './call.ts'
import { Resources } from './generated/resources.ts'
import type { RelanceOptions } from './options.ts'
import { Tasks } from './tasks.ts'

/** The API: one method per operation, by the name of its operation id. */
export class Relance extends Resources {
  override readonly agent: Agent
  override readonly tasks: Tasks

  constructor(options: RelanceOptions) {
    const call = new Call(options)
    super(call)
    this.agent = new Agent(call)
    this.tasks = new Tasks(call)
  }
}
