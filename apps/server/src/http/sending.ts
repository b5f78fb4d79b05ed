import type { Route } from '@holdfast/contract/route';
import type { Clock } from '@holdfast/foundation/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SentExtras } from './reply.ts';

/** An answer on its way: to which request, in which form. */
export interface Sending {
  readonly route: Route;
  readonly reply: FastifyReply;
  readonly request: FastifyRequest;
  readonly extras: SentExtras;
  readonly isStrict: boolean;
  readonly clock: Clock;
  /** Calls back when whoever asked may no longer be who they were; see `SessionReader.watch`. */
  readonly watch: (onChange: () => void) => () => void;
}
