/** The `Prefer` headers of a request, parsed. A handler calls `applied` for what it obeyed. */
export interface Preferences {
  readonly maxPageSize: number | undefined;
  readonly isImmutableId: boolean;
  readonly timeZone: string | undefined;
  readonly bodyContentType: string | undefined;
  readonly includeUnknownEnumMembers: boolean;
  /** True when `name` was asked for, compared without case (`deltashowremovedasdeleted`). */
  has(name: string): boolean;
  /** Goes out in `Preference-Applied`. */
  applied(preference: string): void;
  readonly appliedHeader: string | undefined;
  /** Canonical text of what binds a delta token. */
  readonly binding: string;
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length >= 2 ? text.slice(1, -1) : text;
}

function parse(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of header.match(/(?:[^,;"]|"[^"]*")+/gu) ?? []) {
    const at = part.indexOf('=');
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase();
    if (name !== '') found.set(name, at < 0 ? '' : unquote(part.slice(at + 1).trim()));
  }
  return found;
}

/** Reads `Prefer`, several headers or one with commas. */
export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  const found = text === '' ? new Map<string, string>() : parse(text);
  const applied: string[] = [];
  const size = Number(found.get('odata.maxpagesize') ?? found.get('maxpagesize'));
  const isImmutableId = found.get('idtype')?.toLowerCase() === 'immutableid';
  return {
    maxPageSize: Number.isInteger(size) && size > 0 ? size : undefined,
    isImmutableId,
    timeZone: found.get('outlook.timezone'),
    bodyContentType: found.get('outlook.body-content-type'),
    includeUnknownEnumMembers: found.has('include-unknown-enum-members'),
    has: (name) => found.has(name.toLowerCase()),
    applied(preference) {
      if (!applied.includes(preference)) applied.push(preference);
    },
    get appliedHeader() {
      return applied.length === 0 ? undefined : applied.join(', ');
    },
    binding: isImmutableId ? 'immutable' : '',
  };
}
