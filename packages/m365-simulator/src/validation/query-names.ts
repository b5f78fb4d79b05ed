import { namesInFilter } from '../http/filter-names.ts';
import { readExpand, splitOutside } from '../http/query.ts';
import type { Schema } from './csdl.ts';
import { followPath, type WrongName } from './property-path.ts';

/** The options of a request, or of a part in the parentheses of `$expand`, that name properties. */
export interface NamingOptions {
  readonly select: string | undefined;
  readonly expand: string | undefined;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
}

/** In which option the name stands: the services say so. */
export interface UnknownName extends WrongName {
  readonly option: 'select' | 'filter' | 'orderby';
}

function wrongPath(schema: Schema, type: string, path: string): WrongName | undefined {
  const found = followPath(schema, type, path);
  return 'name' in found ? found : undefined;
}

function wrongExpand(schema: Schema, type: string, text: string): UnknownName | undefined {
  for (const { name, options } of readExpand(text)) {
    if (name === '*') continue;
    const found = followPath(schema, type, name);
    if ('name' in found) return { ...found, option: 'select' };
    if (!found.isNavigation) return { name, type, isProperty: true, option: 'select' };
    const inner = (option: string): string | undefined => options.get(`$${option}`) ?? options.get(option);
    const below = { select: inner('select'), expand: inner('expand'), filter: inner('filter'), orderBy: inner('orderby') };
    const wrong = found.type === undefined ? undefined : findUnknownName(schema, found.type, below);
    if (wrong) return wrong;
  }
  return undefined;
}

/** Every path that the plain options name, with the option it stands in. */
function namedPaths(options: NamingOptions): readonly { readonly path: string; readonly option: UnknownName['option'] }[] {
  const selected = splitOutside(options.select ?? '', ',').filter((path) => path !== '*');
  const sorted = splitOutside(options.orderBy ?? '', ',').map((part) => part.split(/\s/u)[0] ?? '');
  return [
    ...selected.map((path) => ({ path, option: 'select' as const })),
    ...namesInFilter(options.filter ?? '').paths.map((path) => ({ path, option: 'filter' as const })),
    ...sorted.map((path) => ({ path, option: 'orderby' as const })),
  ];
}

/** The first name in a query that `type` does not have. */
export function findUnknownName(schema: Schema, type: string, options: NamingOptions): UnknownName | undefined {
  for (const { path, option } of namedPaths(options)) {
    const wrong = wrongPath(schema, type, path);
    if (wrong) return { ...wrong, option };
  }
  return wrongExpand(schema, type, options.expand ?? '');
}
