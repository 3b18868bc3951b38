import { Worker } from 'node:worker_threads'

export interface AskedThreadSettings {
  file: URL
  /** Given to the thread at its start. */
  data: unknown
  heapMb: number
  /** The longest wait for one answer. */
  answerMs: number
  /** The error of a thread that used too much memory or time, or that ended with a fault of ours. */
  failureOf(end: 'memory' | 'time' | 'fault', cause?: unknown): Error
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** A thread that answers one question at a time. If it ends for any reason, the question fails with a typed error. */
export class AskedThread<Question, Answer> {
  private readonly worker: Worker
  private readonly settings: AskedThreadSettings
  private failure: Error | null = null
  private waiting: PromiseWithResolvers<Answer> | null = null

  constructor(settings: AskedThreadSettings) {
    const { file, data, heapMb, failureOf } = settings
    this.settings = settings
    this.worker = new Worker(file, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // It reads what it is given and nothing else: no settings, no secrets, no arguments of the process.
      env: {},
      argv: [],
      execArgv: [],
    })
    // The timer of a question keeps the process; a thread without one does not.
    this.worker.unref()
    this.worker.on('message', (answer: Answer) => this.waiting?.resolve(answer))
    this.worker.on('error', error => this.fail(failureOf(isOutOfMemory(error) ? 'memory' : 'fault', error)))
    this.worker.on('exit', () => this.fail(failureOf('fault')))
  }

  fail(error: Error): void {
    this.failure ??= error
    this.waiting?.reject(this.failure)
  }

  async ask(question: Question): Promise<Answer> {
    if (this.failure) throw this.failure
    this.waiting = Promise.withResolvers()
    const timer = setTimeout(() => this.fail(this.settings.failureOf('time')), this.settings.answerMs)
    this.worker.postMessage(question)
    try {
      return await this.waiting.promise
    } finally {
      clearTimeout(timer)
      this.waiting = null
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }
}
