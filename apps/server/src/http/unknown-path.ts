import { AppError } from '@holdfast/foundation/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp, MountedRoute } from './http-app.ts';
import { sendProblem } from './error-writer.ts';
import { languageOf } from './language.ts';
import { problemOf } from './problem.ts';

function matcher(path: string): RegExp {
  const pattern = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}

interface Place {
  readonly pattern: RegExp;
  readonly routes: readonly MountedRoute[];
}

/** Every path that something is mounted at, with what is. Made at the first miss: a miss must cost no more than a hit. */
function placesOf(mounted: readonly MountedRoute[]): Place[] {
  const byPath = Map.groupBy(mounted, (entry) => entry.path);
  return [...byPath].map(([path, routes]) => ({ pattern: matcher(path), routes }));
}

function sendWrongMethod(others: readonly MountedRoute[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = problemOf(new AppError('request.method-not-allowed'), languageOf(request.headers['accept-language']), request.id);
  reply.header('allow', [...new Set(others.map((entry) => entry.method))].sort().join(', '));
  const own = others[0]?.options.dialect?.(new AppError('request.method-not-allowed'), answer, request);
  if (!own) return sendProblem(reply, answer);
  for (const [header, value] of Object.entries(own.headers ?? {})) reply.header(header, value);
  return own.body === undefined
    ? reply.code(own.status).header('content-length', '0').send()
    : reply.code(own.status).send(Buffer.from(own.body));
}

/** Pages of the portal answer unknown paths outside the API; set by the portal's files. */
export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Unknown paths: 405 with `Allow` where another method stands, the portal's page for browsers, else 404. */
export function answerUnknownPaths(app: HttpApp, page?: PageHandler): void {
  let places: Place[] | undefined;
  app.server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    places ??= placesOf(app.mounted);
    // What stands at the path with other methods, if anything does.
    const others = places.filter(({ pattern }) => pattern.test(path)).flatMap(({ routes }) => routes);
    if (others.length > 0) return sendWrongMethod(others, request, reply);
    const shown = page?.(request, reply);
    if (shown) return shown;
    return sendProblem(reply, problemOf(new AppError('not-found'), languageOf(request.headers['accept-language']), request.id));
  });
}
