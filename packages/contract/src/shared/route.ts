import type { z } from 'zod';
import { mayKey, type Action } from './actions.ts';
import type { ErrorCode } from './errors.ts';

/**
 * An endpoint is one object. The server's mount, the portal's typed client and the OpenAPI document
 * are all derived from it; nothing is generated and nothing is written twice.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a route lives: `main` under /apollo and /apollo-beta, `legacy` under /api, `root` at the top. */
export type Surface = 'main' | 'legacy' | 'root';

/** `empty` answers without a body, `download` streams a file, `events` is a server-sent event stream. */
export type ResponseKind = z.ZodType | 'empty' | 'download' | 'events';

export interface Route {
  readonly method: Method;
  /** Fastify form, relative to the surface's base: `/api/:tenantId/jobs`. */
  readonly path: `/${string}`;
  readonly surface?: Surface;
  /** A legacy route over data of a realm: the staging realm has it under /apollo-beta, with the staging credential. */
  readonly staged?: true;
  /** What the policy is asked; `public` needs no session, `session` any session whatever its role. */
  readonly action: Action | 'public' | 'session';
  /** An API key may call it although it asks for a session alone. */
  readonly keys?: true;
  /** Changes what an account is: refused to a session that the provider of an organisation vouched for. */
  readonly localOnly?: true;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** `multipart` for uploads; JSON otherwise. */
  readonly consumes?: 'multipart';
  readonly response: ResponseKind;
  readonly status?: 200 | 201 | 202 | 204;
  /** The codes this route can answer besides the ones that every route can. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares an endpoint. Only fixes the types; the object is returned as it is. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

/** Whether a request with an API key gets as far as its role; every other route is for people who have signed in. */
export function opensToKeys({ surface, action, keys }: Pick<Route, 'surface' | 'action' | 'keys'>): boolean {
  if (surface === 'legacy') return false;
  return keys === true || (action !== 'public' && action !== 'session' && mayKey(action));
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;
type Part<R, Key extends PropertyKey> = R extends { readonly [K in Key]: infer S } ? S : undefined;

/** What a handler receives, after validation. */
export type ParamsOf<R extends Route> = Parsed<Part<R, 'params'>>;
export type QueryOf<R extends Route> = Parsed<Part<R, 'query'>>;
export type BodyOf<R extends Route> = Parsed<Part<R, 'body'>>;
/** What a client passes, before defaults are applied. */
export type ParamsFor<R extends Route> = Sent<Part<R, 'params'>>;
export type QueryFor<R extends Route> = Sent<Part<R, 'query'>>;
export type BodyFor<R extends Route> = Sent<Part<R, 'body'>>;
/** What a handler returns and a client receives. */
export type ResponseOf<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : undefined;

/** A feature's endpoints by name. */
export type Routes = Readonly<Record<string, Route>>;
