import type { Member, Schema } from './csdl.ts';

export interface Problem {
  /** Where in the body, as a JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** All members of a type, its own and inherited, resolved once. */
export interface Shape {
  /** The type itself first, then what it derives from. */
  readonly ancestry: readonly string[];
  readonly properties: ReadonlyMap<string, Member>;
  readonly navigation: ReadonlyMap<string, Member>;
}

/** The check of one body: what it is held against, where it stands now, and what was found. */
export interface Findings {
  readonly mode: 'response' | 'request';
  readonly schema: Schema;
  readonly shapeOf: (type: string) => Shape;
  readonly trail: (string | number)[];
  readonly found: Problem[];
}

export function report(findings: Findings, message: string): void {
  findings.found.push({ pointer: `/${findings.trail.join('/')}`, message });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function resolveShape(schema: Schema, type: string): Shape {
  const ancestry: string[] = [];
  const properties = new Map<string, Member>();
  const navigation = new Map<string, Member>();
  for (let name: string | undefined = type; name !== undefined;) {
    ancestry.push(name);
    const declared = schema.structured(name);
    for (const [key, member] of declared?.properties ?? []) properties.set(key, member);
    for (const [key, member] of declared?.navigation ?? []) navigation.set(key, member);
    name = declared?.base;
  }
  return { ancestry, properties, navigation };
}

/** Begins checks against `schema`; shapes of types are resolved when first met and kept. */
export function createFindings(schema: Schema): (mode: Findings['mode']) => Findings {
  const shapes = new Map<string, Shape>();
  const shapeOf = (type: string): Shape => {
    const known = shapes.get(type);
    if (known) return known;
    const shape = resolveShape(schema, type);
    shapes.set(type, shape);
    return shape;
  };
  return (mode) => ({ mode, schema, shapeOf, trail: [], found: [] });
}
