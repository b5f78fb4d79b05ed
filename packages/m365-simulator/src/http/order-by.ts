import type { Positions } from '../state/feed.ts';
import { badRequest } from './failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Service } from './route.ts';

/** One property of `$orderby`, and whether the greatest comes first. */
export interface Order {
  readonly path: string;
  readonly isDescending: boolean;
}

/** Reads `a/b desc, c`; anything else is refused. */
export function readOrderBy(text: string, service: Service): Order[] {
  return text.split(',').map((part) => {
    const found = /^\s*([\w/]+)(?:\s+(asc|desc))?\s*$/iu.exec(part);
    if (!found) throw badRequest(service, `Invalid $orderby: ${text}`);
    return { path: found[1] ?? '', isDescending: found[2]?.toLowerCase() === 'desc' };
  });
}

function valueAt(entity: JsonObject, path: string): string | number {
  let value: JsonValue | undefined = entity;
  for (const name of path.split('/')) value = isJsonObject(value) ? value[name] : undefined;
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function compare(a: JsonObject, b: JsonObject, orders: readonly Order[]): number {
  for (const { path, isDescending } of orders) {
    const [left, right] = [valueAt(a, path), valueAt(b, path)];
    if (left === right) continue;
    return left < right === isDescending ? 1 : -1;
  }
  return 0;
}

export interface Ordering<Item> {
  readonly orderBy: string | undefined;
  readonly service: Service;
  /** The entity that the properties are of. */
  readonly render: (item: Item) => JsonObject;
}

/** A list in the order that the request asks for; without `$orderby` as it is. For lists that are small enough to sort. */
export function ordered<Item>(items: Positions<Item>, { orderBy, service, render }: Ordering<Item>): Positions<Item> {
  if (orderBy === undefined) return items;
  const orders = readOrderBy(orderBy, service);
  const rows: { readonly item: Item; readonly entity: JsonObject }[] = [];
  for (let position = 0; position < items.size; position += 1) {
    const item = items.at(position);
    if (item !== undefined) rows.push({ item, entity: render(item) });
  }
  const [first] = rows;
  const unknown = first && orders.find(({ path }) => !((path.split('/')[0] ?? '') in first.entity));
  if (unknown) throw badRequest(service, `Could not find a property named '${unknown.path}'.`);
  rows.sort((a, b) => compare(a.entity, b.entity, orders));
  return { size: rows.length, at: (position) => rows[position]?.item };
}
