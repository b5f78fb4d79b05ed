import type { JsonObject, JsonValue } from '../values/json.ts';

export interface Expand {
  readonly name: string;
  /** What stands in the parentheses, by option: `$filter`, `$select`. */
  readonly options: ReadonlyMap<string, string>;
}

/** The query of a request. Names are compared without case and with or without `$`. */
export interface Query {
  readonly select: readonly string[] | undefined;
  readonly expand: readonly Expand[];
  readonly top: number | undefined;
  readonly skip: number | undefined;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
  readonly search: string | undefined;
  readonly count: boolean;
  /** `$skiptoken`, `$deltatoken` or `token`. */
  readonly token: string | undefined;
  get(name: string): string | undefined;
  expands(name: string): boolean;
  /** All names as they came, for the check against `RouteEntry.query`. */
  readonly names: readonly string[];
  readonly raw: URLSearchParams;
}

/** Splits at `separator` outside of parentheses and quotes. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (sign === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Reads `$expand`, as it stands in a query or in the parentheses of another one. */
export function readExpand(text: string): Expand[] {
  return splitOutside(text, ',').map((part) => {
    const open = part.indexOf('(');
    const options = new Map<string, string>();
    if (open < 0) return { name: part, options };
    for (const option of splitOutside(part.slice(open + 1, part.lastIndexOf(')')), ';')) {
      const at = option.indexOf('=');
      options.set(option.slice(0, at).trim().toLowerCase(), option.slice(at + 1).trim());
    }
    return { name: part.slice(0, open).trim(), options };
  });
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** Clients send the same few queries again and again: the last ones are kept as they were read. */
const known = new Map<string, Query>();
const KNOWN_QUERIES = 500;

/** Reads the query of an address (what stands after `?`). */
export function readQuery(text: string): Query {
  let query = known.get(text);
  if (!query) {
    query = parseQuery(text);
    if (known.size >= KNOWN_QUERIES) known.clear();
    known.set(text, query);
  }
  return query;
}

function parseQuery(text: string): Query {
  const raw = new URLSearchParams(text);
  const values = new Map<string, string>();
  for (const [name, value] of raw) values.set(name.toLowerCase().replace(/^\$/u, ''), value);
  const get = (name: string): string | undefined => values.get(name.toLowerCase().replace(/^\$/u, ''));
  const select = get('select');
  const expand = readExpand(get('expand') ?? '');
  return {
    select: select === undefined || select === '' ? undefined : splitOutside(select, ','),
    expand,
    top: wholeNumber(get('top')),
    skip: wholeNumber(get('skip')),
    filter: get('filter'),
    orderBy: get('orderby'),
    search: get('search'),
    count: get('count') === 'true',
    token: get('skiptoken') ?? get('deltatoken') ?? get('token'),
    get,
    expands: (name) => expand.some((entry) => entry.name.toLowerCase() === name.toLowerCase()),
    names: [...raw.keys()],
    raw,
  };
}

/**
 * `$select` on one entity: the properties named, in whatever case, those in `always`, and annotations (of the entity, and of what is selected).
 * Without `$select` the entity as it is.
 */
export function project(entity: JsonObject, select: readonly string[] | undefined, always: readonly string[] = ['id']): JsonObject {
  if (!select || select.includes('*')) return entity;
  const wanted = new Set([...select, ...always].map((name) => name.toLowerCase()));
  const out: Record<string, JsonValue | undefined> = {};
  for (const [name, value] of Object.entries(entity)) {
    const at = name.indexOf('@');
    if (at === 0 || wanted.has((at > 0 ? name.slice(0, at) : name).toLowerCase())) out[name] = value;
  }
  return out;
}
