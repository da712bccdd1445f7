import * as bullmq from 'bullmq'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { workerOptions } from '../../../src/jobs/bullmq/index.js'
import { databaseUrl, ownName, redisUrl } from '../../support/engine-urls.js'

export type Engine = 'redis' | 'postgres'

/** BullMQ's own classes over a prefix or a schema that no other test has; by its name another process has the same. */
export class OwnStore implements AsyncDisposable {
  readonly name: string
  readonly #engine: Engine
  readonly #open: { close(): Promise<unknown> }[] = []

  constructor(engine: Engine, name = ownName()) {
    this.#engine = engine
    this.name = name
  }

  queue(name = 'payments') {
    const queue =
      this.#engine === 'redis'
        ? new bullmq.Queue(name, { prefix: this.name, connection: { url: redisUrl } })
        : new bullmq.Queue(
            name,
            { connection: { ...this.#postgres, migrate: true } },
            bullmq.createPostgresBackend,
          )
    this.#open.push(queue)
    return queue
  }

  worker(
    process: bullmq.Processor | undefined,
    options: Partial<bullmq.WorkerOptions> = {},
    name = 'payments',
  ) {
    const all = { ...workerOptions, stalledInterval: 100, ...options }
    const worker =
      this.#engine === 'redis'
        ? new bullmq.Worker(name, process, { ...all, prefix: this.name, connection: { url: redisUrl } })
        : new bullmq.Worker(
            name,
            process,
            { ...all, connection: this.#postgres },
            bullmq.createPostgresBackend,
          )
    worker.on('error', () => undefined)
    this.#open.push(worker)
    return worker
  }

  /** All that the store holds, as one text. */
  async contents(): Promise<string> {
    return this.#engine === 'redis' ? this.#keys() : this.#tables()
  }

  async [Symbol.asyncDispose]() {
    for (const one of this.#open.reverse()) await one.close()
    if (this.#engine === 'redis') {
      await this.#onRedis(async (redis) => {
        const keys = await redis.keys(`${this.name}:*`)
        if (keys.length > 0) await redis.del(...keys)
      })
    } else await this.#onPostgres((pool) => pool.query(`DROP SCHEMA IF EXISTS "${this.name}" CASCADE`))
  }

  get #postgres() {
    return { connectionString: databaseUrl, schema: this.name }
  }

  #keys() {
    return this.#onRedis(async (redis) => {
      const keys = await redis.keys(`${this.name}:*`)
      const hashes = await Promise.all(
        keys.map(async (key) => ((await redis.type(key)) === 'hash' ? redis.hgetall(key) : key)),
      )
      return JSON.stringify(hashes)
    })
  }

  #tables() {
    return this.#onPostgres(async (pool) => {
      const { rows } = await pool.query(`SELECT to_jsonb(job) AS row FROM "${this.name}".job`)
      return JSON.stringify(rows)
    })
  }

  async #onRedis<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(redisUrl)
    try {
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }

  async #onPostgres<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const pool = new Pool({ connectionString: databaseUrl, max: 1 })
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }
}
