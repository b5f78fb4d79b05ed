import { z } from 'zod';
import { restoreSettings, type RestoreSettings } from '../../content/restore.ts';
import { id, workload } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, placed, type JobKind } from '../kind.ts';

/** A download reads stored content alone, without Microsoft 365. */
function needsTenant({ restore: { target } }: { readonly restore: RestoreSettings }): boolean {
  return target.kind !== 'download';
}

const own = { type: z.literal('restore'), workload, restore: restoreSettings };

/** Brings what is stored back, or hands it out as a download. */
export const restore = {
  type: 'restore',
  body: z.object({ ...commonBody, ...own, locationId: id }),
  answer: z.object({ ...commonAnswer, ...own, ...placed }),
  traits: { putsBack: true, needsTenant, actions: ordinaryActions },
} as const satisfies JobKind;
