import { canonicalJson } from '../src/shared/canonical.ts';
import type { Json } from '../src/ports/item.ts';

export type Values = Readonly<Record<string, unknown>>;

/** An item in every property that Graph answers, by name. */
export type Answered = ReadonlyMap<string, string>;

/** Names under which a report may announce that a property differs, beside its own. */
export type ToldAs = Readonly<Record<string, readonly string[]>> | ((name: string) => readonly string[]);

/** An answer without what is empty at any depth: a service may leave it out or write it as null. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => filled(one) ?? null);
  if (typeof value !== 'object' || value === null) return value === '' || value === null ? undefined : value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const one = filled(inner);
    return one === undefined ? [] : [[name, one] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Every property as text that is equal when the values are. */
export function answered(values: Values): Answered {
  return new Map(Object.entries(values).map(([name, value]) => [name, canonicalJson((filled(value) ?? null) as Json)]));
}

/** Names of what two answers say differently. */
export function differing(original: Answered, copy: Answered): readonly string[] {
  const said = (answer: Answered, name: string): string => {
    const value = answer.get(name) ?? 'null';
    return value === '' ? 'null' : value;
  };
  return [...new Set([...original.keys(), ...copy.keys()])].filter((name) => said(original, name) !== said(copy, name));
}

/** True when the report says that this property of the copy is another one. */
export function isTold(name: string, differences: readonly string[], toldAs: ToldAs = {}): boolean {
  const names = [name, ...((typeof toldAs === 'function' ? toldAs(name) : toldAs[name]) ?? [])];
  return differences.some((told) => names.some((one) => told.toLowerCase() === one.toLowerCase() || told.startsWith(`${one} `)));
}
