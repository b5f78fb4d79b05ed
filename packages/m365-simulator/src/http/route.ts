import type { IncomingHttpHeaders } from 'node:http';
import type { Tenant } from '../state/tenant.ts';
import type { Host } from './host.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import type { Links } from './links.ts';
import type { Preferences } from './preferences.ts';
import type { Query } from './query.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Which part of Microsoft 365 answers: decides the dialect of its errors and the limits that count. */
export type Service = 'directory' | 'reports' | 'outlook' | 'drives' | 'sites' | 'teams' | 'core';

/** What a scripted fault asks of the handler, where the server alone can't act it out. */
export type Effect =
  | 'corruptMessage'
  | 'corruptAttachment'
  | 'malware'
  | 'lock'
  | 'quota'
  | 'staleHash'
  | 'rewriteOffice'
  | 'noMailbox'
  | 'noDrive'
  | 'expireDelta';

/** Who asks: the app of the token and its roles, closed under `implies`. */
export interface Caller {
  readonly appId: string;
  readonly roles: ReadonlySet<string>;
}

/** A request inside another one, as a batch has them. */
export interface InnerRequest {
  readonly method: string;
  /** Path with version, and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface InnerReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isJson: boolean;
}

/** All that a handler knows about a request. Made by the server after sign-in, permissions, limits and faults. */
export interface Context {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly route: RouteEntry;
  readonly method: Method;
  /** The values of the placeholders of `route.path`, in order, decoded. */
  readonly params: readonly string[];
  readonly query: Query;
  readonly headers: IncomingHttpHeaders;
  readonly prefer: Preferences;
  readonly links: Links;
  /** What the signed link carries, on hosts other than `graph`; else empty. */
  readonly claims: Readonly<Record<string, JsonValue>>;
  readonly requestId: string;
  /** The name of a cast at the end of the path (`microsoft.graph.sitePage`), when there is one. */
  readonly cast: string | undefined;
  /** The body as it comes in. Read at most once. */
  readonly stream: AsyncIterable<Uint8Array>;
  /** The whole body; more than `limitBytes` (4 MB unless given) is refused with 413. */
  body(limitBytes?: number): Promise<Buffer>;
  /** The body as a JSON object; anything else is refused with 400. */
  json(limitBytes?: number): Promise<JsonObject>;
  /** True when a scripted fault asks for `effect` on this request. */
  hasEffect(effect: Effect): boolean;
  /** Runs another request of the same caller, with roles, limits and faults of its own. */
  send(request: InnerRequest): Promise<InnerReply>;
}

/** One row of the table of routes. */
export interface RouteEntry {
  readonly method: Method;
  /**
   * Template as in `permissions.json`: `{id}`, `{path}`, `{name}` and `{value}` match one segment, after `:/` the rest
   * up to `:`. A path below beta starts with `/beta`; all others are v1.0.
   */
  readonly path: string;
  /** The key in `permissions.json` when `path` is another spelling of it (`root:/{path}`). */
  readonly like?: string;
  /** Not in `permissions.json`, and the reason: batch, metadata, monitors. */
  readonly open?: string;
  readonly host?: Host;
  readonly service: Service;
  /** Query options that the route understands, `$select` and others; one that is not named is refused with 400. */
  readonly query?: readonly string[];
  /** Removes the item that the request names, for the fault `vanish`. */
  readonly vanish?: (context: Context) => void;
  /** True when the body is read by the handler as a stream (uploads): the server then neither limits nor checks it. */
  readonly streams?: boolean;
  readonly handler: (context: Context) => Reply | Promise<Reply>;
}
