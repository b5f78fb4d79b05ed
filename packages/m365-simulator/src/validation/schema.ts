import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { EnumType, Member, Operation, Schema, StructuredType } from './csdl.ts';
import { qualify, readEnum, readOperation, readStructured } from './read-fragment.ts';

const METADATA = new URL('../../data/metadata-v1.0.xml.gz', import.meta.url);
const ELEMENT = /<(Schema|EntityType|ComplexType|EnumType|Function|Action|EntitySet|Singleton)\s([^>]*)>/g;

/** Where an element stands in the text: enough to read it when someone asks for it. */
interface Span {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

interface Directory {
  readonly types: ReadonlyMap<string, Span>;
  readonly operations: ReadonlyMap<string, readonly Span[]>;
  readonly roots: ReadonlyMap<string, Member>;
}

/** The text of the metadata, as Microsoft publishes it, without its byte order mark. */
export function readMetadataText(): string {
  return gunzipSync(readFileSync(METADATA))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

function attribute(text: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
}

function rootMember(kind: string, attributes: string): Member {
  const type = attribute(attributes, kind === 'EntitySet' ? 'EntityType' : 'Type') ?? '';
  return { type: qualify(type), isCollection: kind === 'EntitySet', isNullable: false };
}

function endOf(text: string, match: RegExpExecArray): number {
  const tag = match[0];
  if (tag.endsWith('/>')) return match.index + tag.length;
  const closing = `</${match[1] ?? ''}>`;
  return text.indexOf(closing, match.index) + closing.length;
}

/** One pass over the text: where each type and operation stands. Three and a half megabytes in a few milliseconds. */
function indexElements(text: string): Directory {
  const types = new Map<string, Span>();
  const operations = new Map<string, Span[]>();
  const roots = new Map<string, Member>();
  let namespace = '';
  for (const match of text.matchAll(ELEMENT)) {
    const [, kind = '', attributes = ''] = match;
    if (kind === 'Schema') {
      namespace = attribute(attributes, 'Namespace') ?? '';
      continue;
    }
    const name = attribute(attributes, 'Name') ?? '';
    if (kind === 'EntitySet' || kind === 'Singleton') {
      roots.set(name, rootMember(kind, attributes));
      continue;
    }
    const span: Span = { kind, from: match.index, to: endOf(text, match) };
    if (kind === 'Function' || kind === 'Action') operations.set(name, [...(operations.get(name) ?? []), span]);
    else types.set(`${namespace}.${name}`, span);
  }
  return { types, operations, roots };
}

/**
 * The metadata as the validator needs it. The text is indexed once; a type or operation is parsed when it is
 * first asked for, because a test run meets some two hundred of three thousand.
 */
export function createSchema(text: string): Schema {
  const directory = indexElements(text);
  const structured = new Map<string, StructuredType | undefined>();
  const enumerations = new Map<string, EnumType | undefined>();
  const operations = new Map<string, readonly Operation[]>();
  const xml = (span: Span): string => text.slice(span.from, span.to);

  function findStructured(name: string): StructuredType | undefined {
    if (structured.has(name)) return structured.get(name);
    const span = directory.types.get(name);
    const found = span && span.kind !== 'EnumType' ? readStructured(xml(span), name) : undefined;
    structured.set(name, found);
    return found;
  }

  return Object.freeze({
    structured: findStructured,
    enumeration(name: string) {
      if (enumerations.has(name)) return enumerations.get(name);
      const span = directory.types.get(name);
      const found = span?.kind === 'EnumType' ? readEnum(xml(span), name) : undefined;
      enumerations.set(name, found);
      return found;
    },
    operations(name: string) {
      const known = operations.get(name);
      if (known) return known;
      const read = (directory.operations.get(name) ?? [])
        .map((span) => readOperation(xml(span)))
        .filter((operation) => operation !== undefined);
      operations.set(name, read);
      return read;
    },
    root: (name: string) => directory.roots.get(name),
    derives(name: string, ancestor: string) {
      for (let current: string | undefined = name; current !== undefined; current = findStructured(current)?.base) {
        if (current === ancestor) return true;
      }
      return false;
    },
  });
}

let shared: Schema | undefined;

/** The schema of the packaged metadata; read once a process. */
export function packagedSchema(): Schema {
  shared ??= createSchema(readMetadataText());
  return shared;
}
