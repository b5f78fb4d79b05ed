import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import fc from 'fast-check';

/** The part of JSON Schema that our document uses. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

/** What somebody types who means no good, or whose software is broken. */
const NAUGHTY: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egpj.exe',
  '../../etc/passwd',
  '..%2f..%2f',
  '%00',
  "' or 1=1 --",
  '"); drop table jobs; --',
  '<script>alert(1)</script>',
  '{{constructor}}',
  '__proto__',
  'constructor',
  '𝒳'.repeat(40),
  'ß'.repeat(300),
  'x'.repeat(70_000),
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '99999-01-01T00:00:00Z',
  '1e309',
  [],
  {},
  [[[[[[[[]]]]]]]],
  Array.from({ length: 400 }, () => 'x'),
  { constructor: { prototype: 1 }, toString: 'x' },
];

/** Makes values that fit a schema, and spoils them. The same seed makes the same ones. */
export function createFuzzer(seed: number) {
  const random: Random = createSeededRandom(seed);
  const matching = new Map<string, readonly string[]>();
  /** Ids that answers have named: requests ask for what exists as well as for what does not. */
  const known: string[] = [];

  function pick<T>(from: readonly T[]): T {
    const found = from[random.below(from.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  function uuid(): string {
    const hex = random.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  function text(schema: Schema): string {
    if (schema.format === 'uuid') return known.length > 0 && random.below(3) > 0 ? pick(known) : uuid();
    if (schema.format === 'email') return `fuzz${random.below(1_000)}@example.com`;
    if (schema.format === 'date-time')
      return new Date(Date.UTC(2020 + random.below(12), random.below(12), 1 + random.below(28))).toISOString();
    if (schema.format === 'uri') return 'https://example.com/';
    if (schema.pattern !== undefined) {
      const ready = matching.get(schema.pattern) ?? fc.sample(fc.stringMatching(new RegExp(schema.pattern, 'u')), { numRuns: 20, seed });
      matching.set(schema.pattern, ready);
      return pick(ready);
    }
    const least = schema.minLength ?? 0;
    return 'Fuzzed name äß 7'.repeat(20).slice(0, Math.min(schema.maxLength ?? 40, least + random.below(40)));
  }

  function number({ type, minimum = -1_000, maximum = 1_000 }: Schema): number {
    const span = Math.min(maximum, minimum + 10_000) - minimum;
    return type === 'integer' ? minimum + random.below(span + 1) : minimum + random.next() * span;
  }

  function object({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.below(2) === 0);
    return Object.fromEntries(chosen.map(([name, schema]) => [name, value(schema)]));
  }

  const byType: Readonly<Record<string, (schema: Schema) => unknown>> = {
    string: text,
    integer: number,
    number,
    object,
    boolean: () => random.below(2) === 0,
    null: () => null,
    array: ({ minItems = 0, items = {} }) => Array.from({ length: minItems + random.below(2) }, () => value(items)),
  };

  function value(schema: Schema): unknown {
    if ('const' in schema) return schema.const;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return value(pick(choices));
    return schema.enum ? pick(schema.enum) : (byType[schema.type ?? ''] ?? (() => pick(NAUGHTY)))(schema);
  }

  /** The value with one place of it, at any depth, gone or replaced by something naughty. */
  function spoilt(given: unknown): unknown {
    if (typeof given !== 'object' || given === null || random.below(4) === 0) return pick(NAUGHTY);
    if (Array.isArray(given)) {
      const at = random.below(given.length + 1);
      return [...given.slice(0, at), spoilt(given[at]), ...given.slice(at + 1)];
    }
    const keys = Object.keys(given);
    if (keys.length === 0) return pick(NAUGHTY);
    const key = pick(keys);
    const { [key]: old, ...rest } = given as Record<string, unknown>;
    return random.below(4) === 0 ? rest : { ...rest, [key]: spoilt(old) };
  }

  function learn(answer: unknown): void {
    if (Array.isArray(answer)) answer.slice(0, 5).forEach(learn);
    else if (typeof answer === 'object' && answer !== null) Object.values(answer).forEach(learn);
    else if (typeof answer === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(answer) && known.length < 500) known.push(answer);
  }

  return { pick, value, spoilt, learn, chance: (outOf: number) => random.below(outOf) === 0, naughty: () => pick(NAUGHTY) };
}

export type Fuzzer = ReturnType<typeof createFuzzer>;
