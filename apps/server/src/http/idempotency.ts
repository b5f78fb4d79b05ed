import type { Route } from '@holdfast/contract/route';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';

/** Where answers are remembered by key for a day. */
export interface IdempotencyStore {
  /**
   * Claims a key for a request. `fresh`: run it. `done`: it ran, here is the answer. `running`: it
   * has been claimed and not finished yet. `other`: the key belongs to a different request.
   */
  claim(key: string, fingerprint: string): Promise<{ state: 'fresh' | 'running' | 'other' } | { state: 'done'; answer: unknown }>;
  finish(key: string, answer: unknown): Promise<void>;
  /** Gives a key back after a failure, so that the client can try again. */
  release(key: string): Promise<void>;
}

const MAX_KEY = 200;

interface Exchange {
  readonly store: IdempotencyStore;
  readonly decided: { readonly actor: Actor | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Whether a route obeys `Idempotency-Key`. */
export function isRepeatable(route: Route): boolean {
  return route.method === 'POST' && route.response !== 'download' && route.response !== 'events' && route.consumes !== 'multipart';
}

/** Runs a request of a repeatable route at most once for its `Idempotency-Key`, per account; a repeat gets the first answer. */
export async function runIdempotently(exchange: Exchange, run: () => Promise<unknown>): Promise<unknown> {
  const { store, request, reply, decided } = exchange;
  const given = request.headers['idempotency-key'];
  if (typeof given !== 'string' || !decided.actor) return run();
  if (given.length === 0 || given.length > MAX_KEY) throw new AppError('request.invalid', { details: { field: 'Idempotency-Key' } });
  const key = sha256Hex(`${decided.actor.accountId}\n${decided.actor.realm}\n${given}`);
  const fingerprint = sha256Hex(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`);
  const claim = await store.claim(key, fingerprint);
  if (claim.state === 'done') {
    reply.header('idempotent-replayed', 'true');
    return claim.answer;
  }
  if (claim.state !== 'fresh') throw new AppError('request.idempotency-conflict');
  try {
    const answer = await run();
    await store.finish(key, answer ?? null);
    return answer;
  } catch (error) {
    await store.release(key);
    throw error;
  }
}
