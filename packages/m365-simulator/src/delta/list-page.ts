import { badRequest } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context } from '../http/route.ts';
import type { Positions } from '../state/feed.ts';

export interface ListOptions<Item> {
  readonly items: Positions<Item>;
  /** For `@odata.context`: `users('…')/messages`. */
  readonly context: string;
  readonly defaultSize: number;
  readonly maxSize: number;
  readonly render: (item: Item) => JsonObject;
  readonly includes?: (item: Item) => boolean;
  /** False where `$count=true` is left out in silence. */
  readonly isCounted?: boolean;
  /** The service refuses a larger `$top` instead of answering `maxSize` items. */
  readonly isTopStrict?: boolean;
  /** More annotations of the answer. */
  readonly annotations?: JsonObject;
}

const TOKEN = /^p(\d{1,12})$/u;

function startOf(context: Context): number {
  const text = context.query.get('$skiptoken');
  if (text === undefined) return 0;
  const found = TOKEN.exec(Buffer.from(text, 'base64url').toString());
  if (!found) throw badRequest(context.route.service, 'The skip token is not valid.');
  return Number(found[1]);
}

function countOf<Item>(options: ListOptions<Item>): number {
  let count = 0;
  for (let position = 0; position < options.items.size; position += 1) {
    const item = options.items.at(position);
    if (item !== undefined && options.includes?.(item) !== false) count += 1;
  }
  return count;
}

/** Moves on by `skip` items, for `$skip`. */
function skipFrom<Item>(options: ListOptions<Item>, skip: number): number {
  let left = skip;
  let position = 0;
  for (; position < options.items.size && left > 0; position += 1) {
    const item = options.items.at(position);
    if (item !== undefined && options.includes?.(item) !== false) left -= 1;
  }
  return position;
}

/** Fills a page from `start`; `next` is where the following one begins. */
function fill<Item>(options: ListOptions<Item>, start: number, count: number): { readonly value: JsonObject[]; readonly next: number } {
  const value: JsonObject[] = [];
  let position = start;
  for (; position < options.items.size && value.length < count; position += 1) {
    const item = options.items.at(position);
    if (item !== undefined && options.includes?.(item) !== false) value.push(options.render(item));
  }
  return { value, next: position };
}

function firstPosition<Item>(context: Context, options: ListOptions<Item>): number {
  const start = startOf(context);
  const skip = context.query.skip ?? 0;
  return start === 0 && skip > 0 ? skipFrom(options, skip) : start;
}

/** Refuses a `$top` beyond what the service serves. */
export function requireTop({ query, route }: Context, limit: number): void {
  if (query.top === undefined || (query.top >= 1 && query.top <= limit)) return;
  throw badRequest(
    route.service,
    `The limit of '${limit}' for Top query has been exceeded. The value from the incoming request is '${query.top}'.`,
  );
}

/** Answers one page of a list: `$top` is the size of a page, the nextLink carries a position that never moves. */
export function listPage<Item>(context: Context, options: ListOptions<Item>): Reply {
  const { query, prefer } = context;
  if (options.isTopStrict) requireTop(context, options.maxSize);
  if (prefer.maxPageSize !== undefined) prefer.applied(`odata.maxpagesize=${prefer.maxPageSize}`);
  const count = Math.max(1, Math.min(query.top ?? prefer.maxPageSize ?? options.defaultSize, options.maxSize));
  const { value, next } = fill(options, firstPosition(context, options), count);
  const page: Record<string, JsonObject[string]> = { '@odata.context': context.links.context(options.context), ...options.annotations };
  if (options.isCounted ?? query.count) page['@odata.count'] = countOf(options);
  if (next < options.items.size) {
    const parameters = [...query.raw].filter(([name]) => !['$skip', '$skiptoken'].includes(name.toLowerCase()));
    page['@odata.nextLink'] = context.links.withQuery({
      ...Object.fromEntries(parameters),
      $skiptoken: Buffer.from(`p${next}`).toString('base64url'),
    });
  }
  return ok({ ...page, value });
}
