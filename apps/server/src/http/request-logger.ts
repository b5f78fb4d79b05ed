import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * The logger of one request, which names its id in every line. It is made when there is something to
 * say: making one costs more than most answers do, and most requests say nothing.
 */
export function requestLogger(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined;
  const own = (): FastifyBaseLogger => (made ??= parent.child(bindings));
  const say =
    (level: Level): FastifyBaseLogger[Level] =>
    (...given: readonly unknown[]): void => {
      Reflect.apply(own()[level], own(), given);
    };
  return {
    level: parent.level,
    child: (more, options) => own().child(more, options),
    fatal: say('fatal'),
    error: say('error'),
    warn: say('warn'),
    info: say('info'),
    debug: say('debug'),
    trace: say('trace'),
    silent: say('silent'),
  };
}
