import { listPage } from '../delta/list-page.ts';
import type { Positions } from '../state/feed.ts';
import { type Failure, fail } from '../http/failure.ts';
import { type Filter, readFilter } from '../http/filter.ts';
import { namesInFilter } from '../http/filter-names.ts';
import { type JsonObject, textOf } from '../values/json.ts';
import { ordered, readOrderBy } from '../http/order-by.ts';
import { bytes, type Reply } from '../http/reply.ts';
import type { Context } from '../http/route.ts';

/** Sorting by another property is an advanced query. */
const PLAINLY_SORTED = new Set(['displayname', 'userprincipalname']);
const PAGE_LIMIT = 999;
const CLAUSE = /"(\w+):([^"]*)"/gu;

function unsupported(message: string): Failure {
  return fail(400, 'Request_UnsupportedQuery', message);
}

function isEventual(context: Context): boolean {
  return String(context.headers['consistencylevel'] ?? '').toLowerCase() === 'eventual';
}

/** Why a query is an advanced one, as the refusal says it; `undefined` for a plain one. */
function advancedPart({ query }: Context): string | undefined {
  const { operators } = namesInFilter(query.filter ?? '');
  if (operators.has('ne')) return "Filter operator 'NotEqualsMatch' is not supported.";
  const missing = ['not', 'endswith'].find((name) => operators.has(name));
  if (missing !== undefined) return `Operator '${missing}' is not supported because the 'ConsistencyLevel:eventual' header is missing.`;
  if (query.orderBy === undefined) return undefined;
  const isPlain = readOrderBy(query.orderBy, 'directory').every(({ path }) => PLAINLY_SORTED.has(path.toLowerCase()));
  return query.filter === undefined && isPlain ? undefined : 'Sorting not supported for current query.';
}

function checkPage({ query }: Context): void {
  if (query.get('$skip') !== undefined) throw fail(400, 'Request_BadRequest', "'$skip' is not supported by the service.");
  const top = query.get('$top');
  if (top === undefined) return;
  if (!/^\d+$/u.test(top)) throw fail(400, 'BadRequest', `Invalid value '${top}' for $top query option found.`);
  const isAllowed = Number(top) >= 1 && Number(top) <= PAGE_LIMIT;
  if (!isAllowed) throw unsupported(`Invalid page size specified: '${top}'. Must be between 1 and ${PAGE_LIMIT} inclusive.`);
}

/**
 * Refuses what the directory refuses: `$skip`, pages over 999, and advanced queries without `ConsistencyLevel: eventual` and,
 * but for `$search`, `$count=true`.
 */
export function checkDirectoryQuery(context: Context): void {
  checkPage(context);
  if (context.query.search !== undefined && !isEventual(context)) {
    throw unsupported(
      "Request with $search query parameter only works through MSGraph with a special request header: 'ConsistencyLevel: eventual'",
    );
  }
  const advanced = advancedPart(context);
  const isAdvanced = isEventual(context) && (context.query.count || context.query.search !== undefined);
  if (advanced !== undefined && !isAdvanced) throw unsupported(advanced);
}

/** `"displayName:ann" OR "mail:ann"`: each looks at the beginning of words; without a word between them all must fit. */
function readSearch(text: string): Filter {
  const clauses = [...text.matchAll(CLAUSE)].map(([, name = '', value = '']) => ({ name, value: value.toLowerCase() }));
  if (clauses.length === 0) throw fail(400, 'Request_BadRequest', `Syntax error in $search: ${text}`);
  const fits = (entity: JsonObject, { name, value }: (typeof clauses)[number]): boolean => {
    const words = textOf(entity[name]).toLowerCase();
    return words.startsWith(value) || words.split(/[\s.@-]+/u).some((word) => word.startsWith(value));
  };
  const isEither = /"\s+OR\s+"/u.test(text);
  return (entity) => (isEither ? clauses.some((clause) => fits(entity, clause)) : clauses.every((clause) => fits(entity, clause)));
}

export interface DirectoryList<Item> {
  readonly items: Positions<Item>;
  readonly context: string;
  /** The whole entity, for filters, and what the answer carries of it. */
  readonly whole: (item: Item) => JsonObject;
  readonly render: (item: Item) => JsonObject;
}

function includesOf<Item>({ query }: Context, whole: (item: Item) => JsonObject): ((item: Item) => boolean) | undefined {
  const filters: Filter[] = [];
  if (query.filter !== undefined) filters.push(readFilter(query.filter, 'directory'));
  if (query.search !== undefined) filters.push(readSearch(query.search));
  return filters.length === 0 ? undefined : (item) => filters.every((filter) => filter(whole(item)));
}

/** One page of a list of the directory. */
export function directoryPage<Item>(context: Context, list: DirectoryList<Item>): Reply {
  checkDirectoryQuery(context);
  const includes = includesOf(context, list.whole);
  return listPage(context, {
    items: ordered(list.items, { orderBy: context.query.orderBy, service: 'directory', render: list.whole }),
    context: list.context,
    defaultSize: 100,
    maxSize: PAGE_LIMIT,
    render: list.render,
    // Without the header the service leaves the count out, and says nothing.
    isCounted: context.query.count && isEventual(context),
    ...(includes ? { includes } : {}),
  });
}

/** How many there are, as text. */
export function directoryCount<Item>(context: Context, list: Pick<DirectoryList<Item>, 'items' | 'whole'>): Reply {
  if (!isEventual(context)) throw fail(400, 'Request_BadRequest', '$count is not currently supported.');
  const includes = includesOf(context, list.whole);
  let count = 0;
  for (let position = 0; position < list.items.size; position += 1) {
    const item = list.items.at(position);
    if (item !== undefined && includes?.(item) !== false) count += 1;
  }
  return bytes(Buffer.from(String(count)), 'text/plain');
}

/** A cast at the end of a list of members: an advanced query that leaves the other kinds out. */
export function checkCast(context: Context): void {
  if (context.cast === undefined || (isEventual(context) && context.query.count)) return;
  throw unsupported(`The cast to '${context.cast}' is only supported with the 'ConsistencyLevel:eventual' header and $count.`);
}
