import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  #own(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings));
  }

  #say(level: Level, given: readonly unknown[]): void {
    Reflect.apply(this.#own()[level], this.#own(), given);
  }

  get level(): string {
    return this.#parent.level;
  }
  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#own().child(bindings, options);
  }
  fatal(...given: readonly unknown[]): void {
    this.#say('fatal', given);
  }
  error(...given: readonly unknown[]): void {
    this.#say('error', given);
  }
  warn(...given: readonly unknown[]): void {
    this.#say('warn', given);
  }
  info(...given: readonly unknown[]): void {
    this.#say('info', given);
  }
  debug(...given: readonly unknown[]): void {
    this.#say('debug', given);
  }
  trace(...given: readonly unknown[]): void {
    this.#say('trace', given);
  }
  silent(...given: readonly unknown[]): void {
    this.#say('silent', given);
  }
}

/**
 * The logger of one request, which names its id in every line. It is made when there is something to
 * say: making one costs more than most answers do, and most requests say nothing.
 */
export function requestLogger(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new RequestLogger(parent, bindings);
}
