import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';

/** What a mailbox is divided into at its root. The names are codes; the portal words them. */
export const AREAS = {
  mail: 'area:mail',
  recoverable: 'area:recoverable',
  calendars: 'area:calendars',
  contacts: 'area:contacts',
  tasks: 'area:tasks',
  settings: 'area:settings',
} as const;

export type Area = keyof typeof AREAS;

/** Puts the areas that the selection has. */
export async function* putAreas(context: EnumerateContext, areas: readonly Area[]): AsyncGenerator<Step, void, undefined> {
  const previous = await context.known.load(areas.map((area) => AREAS[area]));
  for (const area of areas) {
    const key = AREAS[area];
    const draft = { key, kind: 'area', parentKey: null, name: area, contentTag: '', properties: {} } as const;
    yield { step: 'put', draft, previous: previous.get(key) };
  }
}
