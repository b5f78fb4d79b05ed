/** A piece of a path: a word that must match, or a value that is handed to the handler. */
export interface PathPiece {
  /** In lower case, for comparison; empty for a value. */
  readonly word: string;
  /** Decoded; for a word, as it was written. */
  readonly value: string;
  /** A place where the template takes a value. Addresses have none: there any piece may be a value. */
  readonly isValue: boolean;
}

export interface SplitPath {
  readonly pieces: readonly PathPiece[];
  /** `microsoft.graph.sitePage`, taken out of the path. */
  readonly cast: string | undefined;
}

const CASTS = new Set(['sitepage', 'basesitepage', 'user', 'group', 'fileattachment', 'itemattachment', 'referenceattachment']);
const KEYED = /^([\w.]+)\('([^']*)'\)$/u;
const CALL = /^([\w.]+)\(\)$/u;
const CALL_WITH_VALUE = /^([\w.]+)\((\w+)='?([^')]*)'?\)$/u;
const NAMESPACE = /^(?:microsoft\.graph|graph)\./u;

function word(text: string): PathPiece {
  return { word: text.toLowerCase(), value: text, isValue: false };
}

function value(text: string, isTemplate: boolean): PathPiece {
  return { word: isTemplate ? '' : text.toLowerCase(), value: text, isValue: isTemplate };
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `name('key')`, `name()`, `name(argument=value)` and `name`. */
function readName(text: string): PathPiece[] {
  if (!text.endsWith(')')) return [word(text)];
  const keyed = KEYED.exec(text);
  if (keyed) return [word(keyed[1] ?? ''), value(keyed[2] ?? '', false)];
  const call = CALL.exec(text);
  if (call) return [word(call[1] ?? '')];
  const withValue = CALL_WITH_VALUE.exec(text);
  if (!withValue) return [word(text)];
  const [, name = '', argument = '', given = ''] = withValue;
  return [word(`${name}(${argument})`), value(given, given === '{value}')];
}

/** Adds the pieces of one segment; returns it when it is a cast, which is no piece. */
function readSegment(segment: string, pieces: PathPiece[]): string | undefined {
  if (segment.startsWith('{') && segment.endsWith('}')) {
    pieces.push(value(segment, true));
    return undefined;
  }
  const text = decode(segment);
  const bare = text.includes('graph.') ? text.replace(NAMESPACE, '') : text;
  if (bare !== text && CASTS.has(bare.toLowerCase())) return `microsoft.graph.${bare}`;
  pieces.push(...readName(bare));
  return undefined;
}

/**
 * Splits a path, encoded, or a template: `('id')` is the same as `/id`, `name()` as `name`, names lose their namespace,
 * and what stands between `:/` and `:` is one value, as addressing by path wants it.
 */
export function splitPath(path: string): SplitPath {
  const pieces: PathPiece[] = [];
  let cast: string | undefined;
  path.split(':/').forEach((part, index) => {
    if (index % 2 === 1) {
      const text = part.endsWith(':') ? part.slice(0, -1) : part;
      pieces.push(word(':'), value(decode(text), text.startsWith('{')));
      return;
    }
    for (const segment of part.split('/')) {
      if (segment !== '') cast = readSegment(segment, pieces) ?? cast;
    }
  });
  const last = pieces.at(-1);
  if (last && !last.isValue && last.value.endsWith(':') && last.value.length > 1) pieces[pieces.length - 1] = word(last.value.slice(0, -1));
  return { pieces, cast };
}
