import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';
import { removeWithContents } from '../compare-listing.ts';

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

/** Puts the areas that the selection has; what it has no more is let go, so that taking it in again reads it whole. */
export async function* putAreas(context: EnumerateContext, areas: readonly Area[]): AsyncGenerator<Step, void, undefined> {
  const previous = await context.known.load(Object.values(AREAS));
  for (const area of areas) {
    const key = AREAS[area];
    const draft = { key, kind: 'area', parentKey: null, name: area, contentTag: '', properties: {} } as const;
    yield { step: 'put', draft, previous: previous.get(key) };
  }
  for (const area of Object.keys(AREAS) as Area[]) {
    if (areas.includes(area) || !previous.has(AREAS[area]) || area === 'recoverable') continue;
    for (const scope of context.scopes(`${area}:`)) yield { step: 'cursor', scope, value: null };
    yield* removeWithContents(context, AREAS[area]);
  }
}
