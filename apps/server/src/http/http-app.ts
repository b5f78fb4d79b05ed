import type { BasePaths } from '@holdfast/contract/limits';
import type { Route } from '@holdfast/contract/route';
import type { Realm } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { FastifyInstance } from 'fastify';
import type { ErrorDialect } from './error-writer.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { OrganisationResolver, SessionReader } from './ports.ts';
import type { UploadLimits } from './upload.ts';

/** Where routes are mounted and what is special about them. */
export interface MountOptions {
  readonly surface: 'main' | 'legacy' | 'root';
  readonly realm: Realm;
  /** `allow` answers sessions that are not complete yet (second factor, e-mail); the default refuses them. */
  readonly restricted?: 'allow' | 'refuse';
  /** How errors look on the wire, when not as problem documents (the identity calls). */
  readonly dialect?: ErrorDialect;
}

/** A route as it is mounted; the OpenAPI document and the endpoint table are made of these. */
export interface MountedRoute {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly route: Route;
  readonly options: MountOptions;
}

/** The HTTP side of the process: the server and what every mount needs. */
export interface HttpApp {
  readonly server: FastifyInstance;
  /** Where the surfaces are served. */
  readonly basePaths: BasePaths;
  readonly sessions: SessionReader;
  readonly organisations: OrganisationResolver;
  readonly idempotency: IdempotencyStore;
  readonly uploads: UploadLimits;
  readonly clock: Clock;
  /** Tests: undeclared fields and statuses are errors. */
  readonly isStrict: boolean;
  readonly mounted: MountedRoute[];
}
