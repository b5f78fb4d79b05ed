import type { OrganisationId, Realm } from '@holdfast/database';
import type { Actor, Audience } from '../access/actor.ts';

/** What a request brings to prove who is asking. Nothing here has been checked. */
export interface Credentials {
  readonly audience: Audience;
  /** After `Bearer ` on /apollo and /apollo-beta, the raw header on /api. Undefined when there was none. */
  readonly token: string | undefined;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The client says that nobody touched it: the request does not count as activity. */
  readonly isBackgroundPoll: boolean;
  readonly address: string;
  /** Path and query as they were asked for, where a file is the answer: a pass opens this one address. */
  readonly downloadAddress: string | undefined;
}

/** Reads a session. Implemented by the identity feature. */
export interface SessionReader {
  /** The actor, or undefined when the credentials open nothing on this audience. Never throws for bad credentials. */
  read(credentials: Credentials): Promise<Actor | undefined>;
  /** Calls back when the actor's session or account has changed, so that what stays open is decided again. Returns how to stop. */
  watch(actor: Actor, onChange: () => void): () => void;
}

/** How a request names an organisation: by a tenant, by a worker or an abbreviation (legacy), or not at all (legacy: the one last chosen). */
export interface OrganisationReference {
  readonly tenantId?: string;
  readonly workerIp?: string;
  readonly abbr?: string;
}

/** What the reference stands for. `tenantId` is there whenever a tenant follows from it. */
export interface ResolvedOrganisation {
  readonly organisationId: OrganisationId;
  readonly tenantId?: string;
  readonly workerId?: string;
}

/** Finds the organisation behind a tenant or worker. Implemented by the tenants and workers features. */
export interface OrganisationResolver {
  /** Candidates behind the reference in this realm; whether the actor is a member is checked by the caller. */
  resolve(reference: OrganisationReference, actor: Actor, realm: Realm): Promise<readonly ResolvedOrganisation[]>;
}
