import { z } from 'zod';
import { createKept } from '../../api/storage.ts';
import type { Kept } from '../../api/storage.ts';

const schema = z.object({ hidden: z.boolean(), closedGroups: z.array(z.string()) });
export type NavigationState = z.infer<typeof schema>;

/** What the reader folded away, kept between visits. */
export function keptNavigation(storage: Storage): Kept<NavigationState> {
  return createKept(storage, 'holdfast.navigation', schema);
}
