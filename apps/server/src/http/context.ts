import type { BodyOf, ParamsOf, QueryOf, Route } from '@holdfast/contract/route';
import type { Realm } from '@holdfast/database';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Language } from './language.ts';
import type { ResolvedOrganisation } from './ports.ts';

/** The request as services and audit events may know it. */
export interface RequestInfo {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly language: Language;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
}

/** A part of an upload, in the order the client sent it. The content must be read before the next part comes. */
export type UploadPart =
  | {
      readonly kind: 'file';
      readonly field: string;
      readonly fileName: string;
      readonly mediaType: string;
      readonly content: AsyncIterable<Uint8Array>;
    }
  | { readonly kind: 'field'; readonly field: string; readonly value: string };

export interface CookieOptions {
  readonly path: string;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: 'strict' | 'lax';
  readonly maxAgeSeconds?: number;
}

/** What a handler may say besides its answer. */
export interface ReplyTools {
  header(name: string, value: string): void;
  /** Sets `ETag` from a version; with `If-Match` on the request use `requireVersion` of `http/etag.ts`. */
  etag(version: string | number): void;
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string, options: CookieOptions): void;
  /** Sends a string answer as it is, with this type, instead of as JSON. */
  contentType(mediaType: string): void;
}

/** A file that is streamed to the client. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes?: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** One server-sent event. `id` lets a client resume by `Last-Event-ID`. */
export interface ServerEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

type ActorOf<R extends Route> = R['action'] extends 'public' ? undefined : Actor;
type NamesOrganisation = { readonly tenantId: string } | { readonly workerIp: string };
type OrganisationOf<R extends Route> = R['action'] extends 'public' | 'session'
  ? undefined
  : R extends { readonly surface: 'legacy' }
    ? ResolvedOrganisation
    : ParamsOf<R> extends NamesOrganisation
      ? ResolvedOrganisation
      : undefined;

/** What a handler is given: everything parsed, decided and resolved. */
export interface Context<R extends Route> {
  readonly actor: ActorOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly realm: Realm;
  /** The organisation that the path names; the actor is a member with the right to this action. */
  readonly organisation: OrganisationOf<R>;
  readonly request: RequestInfo;
  readonly reply: ReplyTools;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** The parts of a multipart request. */
  upload(): AsyncIterable<UploadPart>;
}

/** What a handler answers. */
export type Answer<R extends Route> = R['response'] extends z.ZodType
  ? z.input<R['response']>
  : R['response'] extends 'download'
    ? Download
    : R['response'] extends 'events'
      ? AsyncIterable<ServerEvent>
      : void;

export type Handler<R extends Route> = (context: Context<R>) => Promise<Answer<R>> | Answer<R>;

/** One handler for each route of a feature: a missing one does not compile. */
export type Handlers<R extends Readonly<Record<string, Route>>> = { readonly [K in keyof R]: Handler<R[K]> };
