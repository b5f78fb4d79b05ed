import type { Member, Operation, Schema } from './csdl.ts';

/** What a path of Graph names: the type behind it, or bytes. */
export interface Target {
  readonly member: Member | undefined;
  /** True for `$value`, `$count`, `content` and other streams: a GET answers bytes; a PUT the entity in `member`. */
  readonly isStream: boolean;
  /** Set when the path ends in a function or action; `member` is then what it returns. */
  readonly operation: Operation | undefined;
}

interface Place {
  readonly type: string;
  readonly isCollection: boolean;
}

/** Operations Graph serves that the v1.0 metadata does not have. */
const BEYOND_METADATA: Readonly<Record<string, readonly Operation[]>> = {
  // Beta reference page "mailFolder: importMime".
  importMime: [
    {
      name: 'importMime',
      isAction: true,
      binding: { type: 'microsoft.graph.mailFolder', isCollection: false, isNullable: false },
      parameters: new Map(),
      returns: { type: 'microsoft.graph.message', isCollection: false, isNullable: false },
    },
  ],
};

/** Splits `users('x')` into name and key; a segment without parentheses has no key. */
function splitKey(segment: string): { name: string; key: string | undefined } {
  const match = /^([^(]+)\((.*)\)$/.exec(segment);
  return match ? { name: match[1] ?? '', key: match[2] ?? '' } : { name: segment, key: undefined };
}

function asPlace(member: Member): Place {
  return { type: member.type, isCollection: member.isCollection };
}

function findMember(schema: Schema, type: string, name: string): Member | undefined {
  for (let current = schema.structured(type); current;) {
    const member = current.navigation.get(name) ?? current.properties.get(name);
    if (member) return member;
    current = current.base === undefined ? undefined : schema.structured(current.base);
  }
  return undefined;
}

function findOperation(schema: Schema, place: Place, segment: string): Operation | undefined {
  const { name } = splitKey(segment.replace(/^microsoft\.graph\./, ''));
  const candidates = [...schema.operations(name), ...(BEYOND_METADATA[name] ?? [])];
  const bound = candidates.filter(({ binding }) => binding.isCollection === place.isCollection && schema.derives(place.type, binding.type));
  // `delta` of users and that of all directory objects both fit users: the nearer one is meant.
  return bound.find(({ binding }) => binding.type === place.type) ?? bound[0];
}

/** Path addressing (`root:/a/b:`, `items/{id}:/name:`) ends at the next segment with a final colon, or with the path. */
function skipAddressed(segments: readonly string[], from: number): number {
  if (!segments[from]?.endsWith(':')) return from + 1;
  for (let index = from + 1; index < segments.length; index += 1) {
    if (segments[index]?.endsWith(':')) return index + 1;
  }
  return segments.length;
}

function streamOf(holder: Place): Target {
  return { member: { ...holder, isNullable: false }, isStream: true, operation: undefined };
}

/** `$value` is the content of the thing before it, `$count` the number of things in a list, as text. */
function isBytes(place: Place, segment: string): boolean {
  return segment === '$value' || (segment === '$count' && place.isCollection);
}

interface Walk {
  place: Place;
  /** Index of the next segment. */
  next: number;
  operation: Operation | undefined;
  returnsNothing: boolean;
}

function enterOperation(walk: Walk, operation: Operation): Walk {
  const place = operation.returns ? asPlace(operation.returns) : walk.place;
  return { place, next: walk.next + 1, operation, returnsNothing: operation.returns === undefined };
}

/** One step into a single thing: a property, a navigation property with or without a key in parentheses, a cast. */
function stepInto(schema: Schema, walk: Walk, segments: readonly string[]): Walk | undefined {
  const segment = segments[walk.next] ?? '';
  const { name, key } = splitKey(segment.replace(/:$/, ''));
  const member = findMember(schema, walk.place.type, name);
  if (member) {
    const place = { type: member.type, isCollection: member.isCollection && key === undefined };
    return { ...walk, place, next: skipAddressed(segments, walk.next), operation: undefined };
  }
  if (schema.structured(segment) && schema.derives(segment, walk.place.type)) {
    return { ...walk, place: { ...walk.place, type: segment }, next: walk.next + 1 };
  }
  return undefined;
}

function stepIntoCollection(schema: Schema, walk: Walk, segments: readonly string[]): Walk | undefined {
  const segment = segments[walk.next] ?? '';
  if (schema.structured(segment) && schema.derives(segment, walk.place.type)) {
    return { ...walk, place: { ...walk.place, type: segment }, next: walk.next + 1 };
  }
  const place = { ...walk.place, isCollection: false };
  return { ...walk, place, next: skipAddressed(segments, walk.next), operation: undefined };
}

/**
 * Finds what `path` (below `/v1.0`, decoded, without query) names in the metadata. Undefined when no such
 * path exists: navigation, bound functions and actions, casts, `$value` and path addressing are followed.
 */
export function resolvePath(schema: Schema, path: string): Target | undefined {
  const named = path.split('/').filter((segment) => segment !== '');
  // `graph` is the alias that the metadata gives its own namespace.
  const segments = named.map((segment) => segment.replace(/^graph\.(?=[a-z]+$)/iu, 'microsoft.graph.'));
  const first = splitKey(segments[0] ?? '');
  const root = schema.root(first.name);
  if (!root) return undefined;
  let walk: Walk = {
    place: { type: root.type, isCollection: root.isCollection && first.key === undefined },
    next: 1,
    operation: undefined,
    returnsNothing: false,
  };
  while (walk.next < segments.length) {
    const segment = segments[walk.next] ?? '';
    if (isBytes(walk.place, segment)) return streamOf(walk.place);
    const operation = findOperation(schema, walk.place, segment);
    const following: Walk | undefined = operation
      ? enterOperation(walk, operation)
      : (walk.place.isCollection ? stepIntoCollection : stepInto)(schema, walk, segments);
    if (!following) return undefined;
    if (following.place.type === 'Edm.Stream') return streamOf(walk.place);
    walk = following;
  }
  const member = walk.returnsNothing ? undefined : { ...walk.place, isNullable: false };
  return { member, isStream: false, operation: walk.operation };
}
