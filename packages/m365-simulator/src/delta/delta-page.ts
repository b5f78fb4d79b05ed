import { chance, randomOf } from '../values/seeded.ts';
import { Failure, badRequest } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { type Query, readQuery } from '../http/query.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, Service } from '../http/route.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Feed } from '../state/feed.ts';
import { keptPage, type Room } from './kept-pages.ts';
import { openToken, sealToken, type TokenContent } from './token.ts';

export interface DeltaOptions<Item> {
  readonly feed: Feed<Item>;
  /** The feed of a query that only the token knows (a window of dates); `feed` unless given. */
  readonly feedOf?: (query: Query) => Feed<Item>;
  /** What a token is bound to: `mail/{user}/{folder}`. */
  readonly resource: string;
  /** For `@odata.context`: `Collection(message)`. */
  readonly context: string;
  readonly defaultSize: number;
  readonly maxSize: number;
  /** One entry. `query` is the one of the first request of the round, which the token keeps. */
  readonly render: (item: Item, query: Query) => JsonObject;
  readonly removed: (id: string) => JsonObject;
  /** Which items count in this query (`changeType`, windows); all unless given. */
  readonly includes?: (item: Item, query: Query) => boolean;
  /**
   * Names the exact state of the feed and everything of the request that its entries depend on, besides query and
   * token. With it pages are kept: the same page again costs next to nothing.
   */
  readonly stateKey?: string;
  /**
   * The JSON of the entries at these positions, with commas between, where it can be written without an object for each.
   * Must be what `render` gives. The bytes are good until the next call.
   */
  readonly writeEntries?: (query: Query, from: number, to: number) => Uint8Array | undefined;
  /** Days until a token is too old; no limit unless given. */
  readonly tokenDays?: number;
  /** The place in the log at a time, where `token` may be a time stamp (drives). */
  readonly placeAt?: (ms: number) => number;
}

interface Round {
  readonly token: TokenContent;
  readonly query: Query;
}

/** A page as it is being filled: entries, and where the next one begins. */
interface Filled {
  readonly entries: JsonObject[];
  readonly next: number;
  readonly isDone: boolean;
}

/** How many entries a page has, and where its bytes go. */
interface PageSize {
  readonly count: number;
  readonly room: Room;
}

const DAY_MS = 86_400_000;

function generationOf(tenant: Tenant): { generation: number } {
  return tenant.store.state('delta', () => ({ generation: 0 }));
}

/** Makes every delta and page token of the tenant too old. */
export function expireDeltaTokens(tenant: Tenant): void {
  generationOf(tenant).generation += 1;
}

/** 410 as each service says it; drives and sites send the address of a fresh enumeration. */
export function tokenExpired(context: Context): Failure {
  const { service } = context.route;
  const message = 'The sync state generation is not found; the delta token is too old.';
  if (service === 'drives' || service === 'sites') {
    const headers = { Location: context.links.withQuery({ token: '' }) };
    return new Failure(410, 'resyncRequired', message, { inner: 'resyncChangesApplyDifferences', headers });
  }
  return new Failure(410, service === 'teams' ? 'SyncStateInvalid' : 'SyncStateNotFound', message);
}

function tokenName(service: Service, isDelta: boolean): string {
  if (service === 'drives' || service === 'sites') return 'token';
  return isDelta ? '$deltatoken' : '$skiptoken';
}

/** The order that the knobs of the tenant ask for in a round that begins now. */
function orderName(tenant: Tenant): TokenContent['order'] {
  if (tenant.switches.deltaChildrenFirst) return 'backwards';
  return tenant.switches.deltaRandomOrder ? 'random' : 'plain';
}

/** Tokens say when they were made only where that matters; elsewhere the same page has the same token at any time. */
function madeNow<Item>(context: Context, options: DeltaOptions<Item>): number {
  return options.tokenDays === undefined ? 0 : context.tenant.clock.nowMs();
}

function startRound<Item>(context: Context, options: DeltaOptions<Item>, from?: number): TokenContent {
  const { feed } = options;
  const query = new URLSearchParams(context.query.raw);
  for (const name of ['token', '$deltatoken', '$skiptoken']) query.delete(name);
  return {
    for: options.resource,
    in: from === undefined ? 'all' : 'changes',
    next: from ?? 0,
    until: feed.log.ids.length,
    query: query.toString(),
    madeMs: madeNow(context, options),
    generation: generationOf(context.tenant).generation,
    size: feed.size,
    order: orderName(context.tenant),
  };
}

/** A round ends with the last change, or one before it when the tenant holds changes back. */
function endOfRound<Item>(tenant: Tenant, options: DeltaOptions<Item>, next: number): number {
  const end = options.feed.log.ids.length;
  if (tenant.switches.deltaHoldBack === 0 || end - next < 1) return end;
  const random = randomOf({ seed: tenant.seed, kind: 'hold', owner: options.resource, index: end });
  return chance(random, tenant.switches.deltaHoldBack) ? end - 1 : end;
}

function continueRound<Item>(context: Context, options: DeltaOptions<Item>, text: string): TokenContent {
  const token = openToken(context.tenant.key, text);
  if (!token || token.for !== options.resource) {
    const service = context.route.service;
    if (service === 'drives' || service === 'sites') throw badRequest(service, 'The provided delta token is not valid.');
    throw new Failure(400, 'SyncStateInvalid', 'The sync state is not valid for this resource.');
  }
  const ageMs = context.tenant.clock.nowMs() - token.madeMs;
  const isTooOld = options.tokenDays !== undefined && ageMs > options.tokenDays * DAY_MS;
  if (
    isTooOld ||
    token.generation !== generationOf(context.tenant).generation ||
    token.next > options.feed.log.ids.length + options.feed.size
  ) {
    throw tokenExpired(context);
  }
  return token.until < 0 ? { ...token, until: endOfRound(context.tenant, options, token.next) } : token;
}

function openRound<Item>(context: Context, options: DeltaOptions<Item>): Round {
  if (context.hasEffect('expireDelta')) throw tokenExpired(context);
  const text = context.query.token;
  let token: TokenContent;
  if (text === undefined || text === '') token = startRound(context, options);
  else if (text === 'latest') token = startRound(context, options, options.feed.log.ids.length);
  else if (options.placeAt && !Number.isNaN(Date.parse(text))) token = startRound(context, options, options.placeAt(Date.parse(text)));
  else token = continueRound(context, options, text);
  return { token, query: readQuery(token.query) };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The order in which positions are shown: as they are, or as a knob of the tenant has it. */
function orderOf(tenant: Tenant, token: TokenContent): (position: number) => number {
  const { size } = token;
  if (token.order === 'backwards') return (position) => (position < size ? size - 1 - position : position);
  if (token.order === 'plain' || size < 3) return (position) => position;
  const random = randomOf({ seed: tenant.seed, kind: 'order', owner: token.for, index: token.until });
  let step = 1 + random.below(size - 1);
  while (greatestCommonDivisor(step, size) !== 1) step = (step % (size - 1)) + 1;
  const shift = random.below(size);
  return (position) => (position < size ? (position * step + shift) % size : position);
}

function fillFromAll<Item>(context: Context, options: DeltaOptions<Item>, round: Round, count: number): Filled {
  const { feed } = options;
  const order = orderOf(context.tenant, round.token);
  const entries: JsonObject[] = [];
  let position = round.token.next;
  for (; position < feed.size && entries.length < count; position += 1) {
    const item = feed.at(order(position));
    if (item === undefined || options.includes?.(item, round.query) === false) continue;
    entries.push(options.render(item, round.query));
  }
  return { entries, next: position, isDone: position >= feed.size };
}

function fillFromChanges<Item>(options: DeltaOptions<Item>, round: Round, count: number): Filled {
  const { feed } = options;
  const { until } = round.token;
  const entries: JsonObject[] = [];
  let place = round.token.next;
  for (; place < until && entries.length < count; place += 1) {
    const id = feed.log.ids[place];
    if (id === undefined) continue;
    const last = feed.log.last.get(id) ?? place;
    if (last !== place && last < until) continue;
    const item = feed.current(id);
    if (item === undefined) entries.push(options.removed(id));
    else if (options.includes?.(item, round.query) !== false) entries.push(options.render(item, round.query));
  }
  return { entries, next: place, isDone: place >= until };
}

/** Empty pages, entries twice and unchanged entries again, as the knobs of the tenant ask. */
function disturb<Item>(context: Context, options: DeltaOptions<Item>, round: Round, filled: Filled): JsonObject[] {
  const { switches, seed } = context.tenant;
  if (switches.deltaRepeats === 0 && switches.deltaReplays === 0) return filled.entries;
  const random = randomOf({ seed, kind: 'disturb', owner: options.resource, index: round.token.next });
  const out: JsonObject[] = [];
  for (const entry of filled.entries) {
    out.push(entry);
    if (chance(random, switches.deltaRepeats)) out.push(entry);
  }
  if (chance(random, switches.deltaReplays) && options.feed.size > 0) {
    const item = options.feed.at(random.below(options.feed.size));
    if (item !== undefined && options.includes?.(item, round.query) !== false) out.push(options.render(item, round.query));
  }
  return out;
}

function isEmptyPage(context: Context, options: { readonly resource: string }, token: TokenContent): boolean {
  const { switches, seed } = context.tenant;
  if (switches.deltaEmptyPages === 0 || token.afterEmpty === true) return false;
  const random = randomOf({ seed, kind: 'empty', owner: options.resource, index: token.next });
  return chance(random, switches.deltaEmptyPages);
}

function pageSizeOf<Item>(context: Context, options: DeltaOptions<Item>, query: Query): number {
  const asked = query.top ?? context.prefer.maxPageSize ?? options.defaultSize;
  if (context.prefer.maxPageSize !== undefined) context.prefer.applied(`odata.maxpagesize=${context.prefer.maxPageSize}`);
  return Math.max(1, Math.min(asked, options.maxSize));
}

function isUndisturbed(tenant: Tenant): boolean {
  const { switches } = tenant;
  return switches.deltaRepeats === 0 && switches.deltaReplays === 0 && !switches.deltaRandomOrder && !switches.deltaChildrenFirst;
}

/** All of a page but its entries. */
function headOf<Item>(context: Context, options: DeltaOptions<Item>, token: TokenContent, filled: Omit<Filled, 'entries'>): JsonObject {
  const link = (isDelta: boolean, content: TokenContent): string =>
    context.links.withQuery({ [tokenName(context.route.service, isDelta)]: sealToken(context.tenant.key, content) });
  const annotation = { '@odata.context': context.links.context(options.context) };
  const madeMs = madeNow(context, options);
  if (!filled.isDone) return { ...annotation, '@odata.nextLink': link(false, { ...token, next: filled.next, madeMs, afterEmpty: false }) };
  const next: TokenContent = { ...token, in: 'changes', next: token.until, until: -1, madeMs, size: 0, afterEmpty: false };
  return { ...annotation, '@odata.deltaLink': link(true, next) };
}

function makePage<Item>(context: Context, options: DeltaOptions<Item>, round: Round, count: number): JsonObject {
  const { token } = round;
  if (isEmptyPage(context, options, token)) {
    const sealed = sealToken(context.tenant.key, { ...token, afterEmpty: true });
    const link = context.links.withQuery({ [tokenName(context.route.service, false)]: sealed });
    return { '@odata.context': context.links.context(options.context), '@odata.nextLink': link, value: [] };
  }
  const filled = token.in === 'all' ? fillFromAll(context, options, round, count) : fillFromChanges(options, round, count);
  return { ...headOf(context, options, token, filled), value: disturb(context, options, round, filled) };
}

/** A page whose entries can be written at once. */
function writtenPage<Item>(context: Context, options: DeltaOptions<Item>, round: Round, size: PageSize): Buffer | undefined {
  const { token, query } = round;
  if (token.in !== 'all' || token.order !== 'plain' || isEmptyPage(context, options, token)) return undefined;
  const next = Math.min(token.next + size.count, options.feed.size);
  const entries = options.writeEntries?.(query, token.next, next);
  if (!entries) return undefined;
  const head = `${JSON.stringify(headOf(context, options, token, { next, isDone: next >= options.feed.size })).slice(0, -1)},"value":[`;
  const headBytes = Buffer.byteLength(head);
  const page = size.room(headBytes + entries.byteLength + ']}'.length);
  page.write(head);
  page.set(entries, headBytes);
  page.write(']}', headBytes + entries.byteLength);
  return page;
}

/**
 * Answers one page of a delta. A round enumerates every position once, then ends with a deltaLink at the place in the
 * log at which it began: whatever changed between its pages comes in the next round, and is never lost. A page token can
 * be used again and gives the page anew from the present state, never from an older one.
 */
export function deltaPage<Item>(context: Context, given: DeltaOptions<Item>): Reply {
  const round = openRound(context, given);
  const options = given.feedOf ? { ...given, feed: given.feedOf(round.query) } : given;
  const count = pageSizeOf(context, options, round.query);
  if (options.stateKey === undefined || options.tokenDays !== undefined || !isUndisturbed(context.tenant))
    return ok(makePage(context, options, round, count));
  const name = `${context.tenant.tenantId} ${context.links.self} ${options.stateKey} ${count} ${JSON.stringify(round.token)}`;
  const page = keptPage(
    name,
    (room) =>
      writtenPage(context, options, round, { count, room }) ?? Buffer.from(JSON.stringify(makePage(context, options, round, count))),
  );
  return { ...ok(page.bytes), sent: page.giveBack };
}
