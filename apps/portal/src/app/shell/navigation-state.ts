import { z } from 'zod';
import { createKept } from '../../api/storage.ts';
import type { Kept } from '../../api/storage.ts';

/** `turnedGroups` are unfolded; the group of the current page, which is unfolded by itself, is folded by it. */
const schema = z.object({ isCollapsed: z.boolean(), turnedGroups: z.array(z.string()) });
export type NavigationState = z.infer<typeof schema>;

/** What the reader folded away, kept between visits. */
export function keptNavigation(storage: Storage): Kept<NavigationState> {
  return createKept(storage, 'holdfast.navigation', schema);
}
