import type { DriveEntry } from '@holdfast/m365';
import { oncePerKey } from '../../pipeline/once-per-key.ts';
import type { RestoreContext } from '../restorer.ts';
import { splitPlace } from './place.ts';

/** A file at the target. */
export interface Namesake {
  readonly id: string;
  readonly name: string;
}

/** Whether the service would give a name to a file that comes beside one of another name: `Plan 1.docx` beside `Plan.docx`. */
function isNumbered(name: string, of: string): boolean {
  const dot = of.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [of.slice(0, dot), of.slice(dot)] : [of, ''];
  return name.startsWith(`${stem} `) && name.endsWith(ending) && /^\d+$/u.test(name.slice(stem.length + 1, name.length - ending.length));
}

/** Finds what has the name of a file; where both are kept also what the service has numbered. Folders are listed once. */
export function createNamesakes({ graph, request }: RestoreContext): (place: string, existing: DriveEntry) => Promise<readonly Namesake[]> {
  const children = oncePerKey(listNames);

  async function listNames(place: string): Promise<readonly Namesake[]> {
    const found: Namesake[] = [];
    for await (const { id, name } of graph.drives.children(splitPlace(place))) found.push({ id, name: name ?? '' });
    return found;
  }

  return async (place, existing) => {
    const own = { id: existing.id, name: existing.name ?? '' };
    if (request.collisions !== 'keepBoth') return [own];
    return [own, ...(await children.of(place)).filter(({ id, name }) => id !== own.id && isNumbered(name, own.name))];
  };
}
