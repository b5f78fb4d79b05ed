import type { Source } from '@holdfast/contract/discovery';
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { restoreLink } from './held-sources.ts';
import type { Selection } from './selection.ts';

const wantedRestore = z.object({
  /** The restore point that has the items. */
  sequence: z.number().int(),
  items: z.array(z.object({ nodeId: z.string(), name: z.string(), sizeBytes: z.number(), isContainer: z.boolean() })).min(1),
  /** The version of the one file that is wanted instead of its newest. */
  version: z.string().optional(),
  /** Files for somebody else instead of a place in Microsoft 365. */
  target: z.literal('download').optional(),
});
/** What another page wants to have restored. */
export type WantedRestore = z.infer<typeof wantedRestore>;

/** Opens the restore of items that another page shows; the reader chooses the target next. */
export function useRestoreOf(): (place: Pick<Source, 'sourceId'> & { readonly locationId: string }, wanted: WantedRestore) => void {
  const navigate = useNavigate();
  return (place, wanted) => void navigate(restoreLink(place), { state: { wanted } });
}

/** What the page before wants to have restored, if it says so. */
export function useWantedRestore(): WantedRestore | null {
  const { state } = useLocation();
  const parsed = z.object({ wanted: wantedRestore }).safeParse(state);
  return parsed.success ? parsed.data.wanted : null;
}

/** The items as the wizard selects them. */
export function selectionOf({ items, version }: WantedRestore): Selection {
  const named = version === undefined ? {} : { version };
  return new Map(items.map(({ nodeId, ...item }) => [nodeId, { ...item, ...named }]));
}
