import { badRequest } from './failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Service } from './route.ts';

/** True for an entity that a `$filter` lets through. */
export type Filter = (entity: JsonObject) => boolean;

type Value = JsonValue | undefined;
type Term = (entity: JsonObject) => Value;

const TOKEN = /\s*(?:'((?:[^']|'')*)'|([A-Za-z_$@][\w./$@-]*)|(-?\d[\w:.+-]*)|([(),:]))/uy;

export interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'sign';
  readonly text: string;
}

/** The words and signs of an expression; `undefined` when it can't be one. */
export function tokenise(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) return undefined;
    const [, quoted, name, number, sign] = found;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'") });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

/** The value at `a/b/c`; `$count` of a collection is its length. */
function valueAt(entity: JsonObject, path: string): Value {
  let value: Value = entity;
  for (const name of path.split('/')) {
    if (Array.isArray(value) && name === '$count') value = value.length;
    else value = isJsonObject(value) ? value[name] : undefined;
  }
  return value;
}

function comparable(value: Value): string | number | boolean | null {
  if (value === undefined || value === null || typeof value === 'object') return null;
  if (typeof value !== 'string') return value;
  const isTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/u.test(value);
  return isTime ? Date.parse(value) : value.toLowerCase();
}

function compare(operator: string, left: Value, right: Value): boolean {
  const a = comparable(left);
  const b = comparable(right);
  if (operator === 'eq') return a === b;
  if (operator === 'ne') return a !== b;
  if (a === null || b === null) return false;
  if (operator === 'gt') return a > b;
  if (operator === 'ge') return a >= b;
  return operator === 'lt' ? a < b : a <= b;
}

const OPERATORS = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);

/** Reads an expression by recursive descent; any surprise is a refusal. */
class Reader {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly #refuse: () => Error;

  constructor(tokens: readonly Token[], refuse: () => Error) {
    this.#tokens = tokens;
    this.#refuse = refuse;
  }

  read(): Filter {
    const filter = this.#either();
    if (this.#at < this.#tokens.length) throw this.#refuse();
    return filter;
  }

  #isNext(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.kind !== 'text' && token.text.toLowerCase() === text;
  }

  #skip(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#refuse();
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw this.#refuse();
    this.#at += 1;
    return token;
  }

  #either(): Filter {
    let left = this.#both();
    while (this.#skip('or')) {
      const [a, b] = [left, this.#both()];
      left = (entity) => a(entity) || b(entity);
    }
    return left;
  }

  #both(): Filter {
    let left = this.#one();
    while (this.#skip('and')) {
      const [a, b] = [left, this.#one()];
      left = (entity) => a(entity) && b(entity);
    }
    return left;
  }

  #one(): Filter {
    if (this.#skip('not')) {
      const inner = this.#one();
      return (entity) => !inner(entity);
    }
    if (this.#skip('(')) {
      const inner = this.#either();
      this.#expect(')');
      return inner;
    }
    const token = this.#next();
    if (token.kind !== 'name') throw this.#refuse();
    if (/\/any$/iu.test(token.text)) return this.#any(token.text.slice(0, -4));
    if (/^(?:startswith|endswith|contains)$/iu.test(token.text)) return this.#call(token.text.toLowerCase());
    const operator = this.#next().text.toLowerCase();
    if (!OPERATORS.has(operator)) throw this.#refuse();
    const right = this.#literal();
    return (entity) => compare(operator, valueAt(entity, token.text), right(entity));
  }

  /** `names/any(x:x eq 'Team')`, `names/any(x:x/part eq 1)`. */
  #any(path: string): Filter {
    this.#expect('(');
    const variable = this.#next().text;
    this.#expect(':');
    const inner = this.#either();
    this.#expect(')');
    return (entity) => {
      const values = valueAt(entity, path);
      return Array.isArray(values) && values.some((value: JsonValue) => inner({ [variable]: value }));
    };
  }

  #call(name: string): Filter {
    this.#expect('(');
    const path = this.#next().text;
    this.#expect(',');
    const part = this.#next().text.toLowerCase();
    this.#expect(')');
    return (entity) => {
      const value = valueAt(entity, path);
      const text = typeof value === 'string' ? value.toLowerCase() : '';
      if (name === 'startswith') return text.startsWith(part);
      return name === 'endswith' ? text.endsWith(part) : text.includes(part);
    };
  }

  #literal(): Term {
    const token = this.#next();
    if (token.kind === 'text') return () => token.text;
    if (token.kind === 'number') {
      const value = /^-?\d+(?:\.\d+)?$/u.test(token.text) ? Number(token.text) : token.text;
      return () => value;
    }
    const word = token.text.toLowerCase();
    if (token.kind !== 'name') throw this.#refuse();
    if (word === 'true' || word === 'false') return () => word === 'true';
    if (word === 'null') return () => null;
    return (entity) => valueAt(entity, token.text);
  }
}

/** Compiles a `$filter`: comparisons, and, or, not, parentheses, `any`, startswith, endswith, contains. Else 400. */
export function readFilter(text: string, service: Service): Filter {
  const refuse = (): Error => badRequest(service, `Invalid filter clause: ${text}`);
  const tokens = tokenise(text);
  if (!tokens) throw refuse();
  return new Reader(tokens, refuse).read();
}
