import { createHash } from 'node:crypto';
import { graphError, isGraphError, type GraphError } from '../../errors/errors.ts';
import type { Caller } from '../caller.ts';
import { asKnown, isObject, textOf } from '../checks.ts';
import type { Known } from '../calls.ts';
import { freshDeltaLink } from '../request/attempt-failure.ts';
import type { GraphCall } from '../request/graph-call.ts';
import { listPages } from './listing.ts';
import { createLoopDetector, createPageReader, type LoopDetector, type Page, type PageReader, type PageSize } from './page.ts';
import type { Delta, DeltaCursor, DeltaEntry, DeltaStep } from './paging-types.ts';

/** What a delta call asks for. */
export interface DeltaQuery {
  readonly call: GraphCall;
  readonly page: PageSize;
  /** A plain list of the same things, for resources where the service refuses to track changes. */
  readonly list?: { readonly call: GraphCall; readonly page: PageSize };
}

const RESTARTS_PER_ROUND = 5;

/** Names everything a token is bound to, so that a cursor made by an earlier version of this client is noticed. */
function nameQuery(call: GraphCall): string {
  const query = Object.entries(call.query ?? {}).filter(([name]) => name !== '$top' && name !== 'token');
  const text = JSON.stringify([call.route, call.params ?? [], query, call.prefer ?? []]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Removed things come as `@removed` in Outlook and the directory, as `deleted` in drives and lists. */
export function asEntry<T>(value: unknown): DeltaEntry<Known<T>> {
  const item = asKnown<T>(value);
  if (!isObject(value)) throw graphError('graph.unexpected-response', { reason: 'no object' });
  const removed = value['@removed'];
  if (removed !== undefined && removed !== null) {
    return { kind: 'removed', id: item.id, reason: textOf(removed, 'reason') === 'changed' ? 'changed' : 'deleted' };
  }
  if (isObject(value['deleted'])) return { kind: 'removed', id: item.id, reason: 'deleted' };
  return { kind: 'present', id: item.id, item };
}

interface Round {
  link: string | undefined;
  full: boolean;
  restarts: number;
  readonly reader: PageReader;
  readonly loops: LoopDetector;
}

function isUnusable(cursor: DeltaCursor, query: string): boolean {
  return cursor.version !== 1 || cursor.query !== query;
}

function toStep<T>(page: Page, round: Round, query: string): DeltaStep<Known<T>> {
  const link = page.nextLink ?? page.deltaLink;
  if (link === undefined) throw graphError('graph.unexpected-response', { reason: 'a delta page without a link' });
  const last = page.nextLink === undefined;
  return {
    kind: 'page',
    entries: page.values.map((value) => asEntry<T>(value)),
    cursor: { version: 1, query, link, at: last ? 'round' : 'page', full: round.full },
    full: round.full,
    last,
  };
}

/**
 * The service's address of a fresh enumeration may leave out what the call asks for beside the token, and rows without
 * `$expand=fields` say nothing: what is missing is added, the rest stays as it was given.
 */
function asking(link: string, call: GraphCall): string {
  const given = new URL(link).searchParams;
  const missing = Object.entries(call.query ?? {}).filter(([name]) => name !== '$top' && name !== 'token' && !given.has(name));
  return missing.reduce((all, [name, value]) => `${all}${all.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`, link);
}

function restart(round: Round, error: GraphError, call: GraphCall): void {
  round.restarts += 1;
  if (round.restarts > RESTARTS_PER_ROUND) throw graphError('graph.endless-pages', { restarts: round.restarts }, error);
  const fresh = freshDeltaLink(error);
  round.link = fresh === undefined ? undefined : asking(fresh, call);
  round.full = true;
  round.loops.restart();
}

/** Whether the collection can only be listed: tracking refused, or pages fail at every size. */
function mustList(error: unknown, query: DeltaQuery): boolean {
  return query.list !== undefined && isGraphError(error, 'graph.delta-refused', 'graph.page-too-large');
}

async function* listInstead<T>(
  caller: Caller,
  source: NonNullable<DeltaQuery['list']>,
): AsyncGenerator<DeltaStep<Known<T>>, void, undefined> {
  yield { kind: 'reset', reason: 'listed' };
  for await (const items of listPages<Known<T>>(caller, source.call, source.page, asKnown)) {
    yield { kind: 'page', entries: items.map((item) => ({ kind: 'present', id: item.id, item })), full: true, last: false };
  }
  yield { kind: 'page', entries: [], full: true, last: true };
}

async function* follow<T>(
  caller: Caller,
  query: DeltaQuery,
  cursor: DeltaCursor | undefined,
): AsyncGenerator<DeltaStep<Known<T>>, void, undefined> {
  const name = nameQuery(query.call);
  const round: Round = {
    link: undefined,
    full: true,
    restarts: 0,
    reader: createPageReader(caller, query.call, query.page),
    loops: createLoopDetector(),
  };
  if (cursor && isUnusable(cursor, name)) yield { kind: 'reset', reason: 'query-changed' };
  else if (cursor) {
    round.link = cursor.link;
    round.full = cursor.at === 'page' && cursor.full;
  }
  for (;;) {
    let page: Page;
    try {
      page = await round.reader.read(round.link);
    } catch (error) {
      if (mustList(error, query) && query.list) {
        yield* listInstead<T>(caller, query.list);
        return;
      }
      if (!isGraphError(error, 'graph.delta-expired')) throw error;
      restart(round, error, query.call);
      yield { kind: 'reset', reason: 'expired' };
      continue;
    }
    if (page.nextLink !== undefined) round.loops.follow(page.nextLink, page.values.length);
    yield toStep<T>(page, round, name);
    if (page.nextLink === undefined) return;
    round.link = page.nextLink;
  }
}

/** A delta round from `cursor`, or from the beginning. Each iteration is a round of its own. */
export function readDelta<T>(caller: Caller, query: DeltaQuery, cursor?: DeltaCursor): Delta<Known<T>> {
  return { [Symbol.asyncIterator]: () => follow<T>(caller, query, cursor) };
}
