import type { Route } from '@holdfast/contract/route';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyRequest } from 'fastify';
import type { Actor, Audience } from '../access/actor.ts';
import { callerAddress } from './caller-address.ts';
import type { Credentials, SessionReader } from './ports.ts';

const BEARER = 'Bearer ';
const actors = new WeakMap<FastifyRequest, Actor>();

/** The token of a request: `Bearer <token>` to the letter for main and staging, the raw header for legacy. */
export function tokenOf(header: string | undefined, audience: Audience): string | undefined {
  if (header === undefined || header === '') return undefined;
  if (audience === 'legacy') return header;
  if (!header.startsWith(BEARER)) return undefined;
  const token = header.slice(BEARER.length);
  return token === '' ? undefined : token;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** What the request offers as proof, unchecked. */
export function credentialsOf(request: FastifyRequest, audience: Audience, isDownload = false): Credentials {
  return {
    audience,
    token: tokenOf(request.headers.authorization, audience),
    cookies: request.cookies,
    method: request.method,
    origin: request.headers.origin,
    fetchSite: single(request.headers['sec-fetch-site']),
    isBackgroundPoll: request.headers['x-background-poll'] === '1',
    address: callerAddress(request) ?? '',
    downloadAddress: isDownload ? request.url : undefined,
  };
}

/** The actor of a request; `unauthorized` when its credentials open nothing here. */
export async function authenticate(
  sessions: SessionReader,
  request: FastifyRequest,
  { audience, route }: { readonly audience: Audience; readonly route: Route },
): Promise<Actor> {
  const actor = await sessions.read(credentialsOf(request, audience, route.response === 'download'));
  if (!actor) throw new AppError('unauthorized');
  actors.set(request, actor);
  return actor;
}

/** Who was found to send a request; undefined before that and for calls that need nobody. */
export function actorOf(request: FastifyRequest): Actor | undefined {
  return actors.get(request);
}
