import type { Member, Schema } from './csdl.ts';

/** A name of a query that its type does not have, or one that can't be expanded. */
export interface WrongName {
  readonly name: string;
  readonly type: string;
  readonly isProperty: boolean;
}

export interface Found {
  /** Where the path ends; `undefined` where the metadata says nothing of what is below. */
  readonly type: string | undefined;
  readonly isNavigation: boolean;
}

interface Named {
  readonly member: Member;
  readonly isNavigation: boolean;
}

/** Lists of directory objects are selected from by the properties of what is in them. */
const IN_DIRECTORY = ['user', 'group', 'orgContact', 'device', 'servicePrincipal', 'application'].map((name) => `microsoft.graph.${name}`);
const DIRECTORY_OBJECT = 'microsoft.graph.directoryObject';
/** Its properties are the columns of the list. */
const FIELDS = 'microsoft.graph.fieldValueSet';
/** Properties that a tenant adds to open types: of directory and schema extensions. */
const EXTENSION = /^(?:extension_|ext[a-z0-9]{8}_)\w+$/iu;
/** Names from before Graph that the service still knows. */
const FORMER = new Set(['content.downloadurl']);

function inCase<Value>(values: ReadonlyMap<string, Value>, name: string): Value | undefined {
  const exact = values.get(name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  for (const [key, value] of values) if (key.toLowerCase() === lower) return value;
  return undefined;
}

function memberOf(schema: Schema, type: string, name: string): Named | undefined {
  for (let current = schema.structured(type); current;) {
    const property = inCase(current.properties, name);
    if (property) return { member: property, isNavigation: false };
    const navigation = inCase(current.navigation, name);
    if (navigation) return { member: navigation, isNavigation: true };
    current = current.base === undefined ? undefined : schema.structured(current.base);
  }
  return undefined;
}

function findNamed(schema: Schema, type: string, name: string): Named | undefined {
  const types = type === DIRECTORY_OBJECT ? [type, ...IN_DIRECTORY] : [type];
  for (const candidate of types) {
    const found = memberOf(schema, candidate, name);
    if (found) return found;
  }
  return undefined;
}

function isUndeclared(schema: Schema, type: string, name: string): boolean {
  if (type === FIELDS || name.startsWith('@') || name.startsWith('$') || FORMER.has(name.toLowerCase())) return true;
  return schema.structured(type)?.isOpen === true && EXTENSION.test(name);
}

/** Follows `a/b/c` from `type`, casts included, and compares without case, as the service does. */
export function followPath(schema: Schema, type: string, path: string): Found | WrongName {
  let found: Found = { type, isNavigation: false };
  for (const name of path.split('/')) {
    const at = found.type;
    if (at === undefined) return found;
    const cast = name.replace(/^graph\./u, 'microsoft.graph.');
    if (name.includes('.') && schema.structured(cast)) {
      found = { type: cast, isNavigation: true };
      continue;
    }
    const named = findNamed(schema, at, name);
    if (named) found = { type: named.member.type, isNavigation: named.isNavigation };
    else if (isUndeclared(schema, at, name)) found = { type: undefined, isNavigation: false };
    else return { name, type: at, isProperty: false };
  }
  return found;
}
