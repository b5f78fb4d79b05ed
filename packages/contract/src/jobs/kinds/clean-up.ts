import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';
import { whole } from '../whole.ts';

const own = {
  type: z.literal('cleanUp'),
  /** A version stays when it is among the newest so many and no older than so many days. */
  newest: whole(0, 50_000, 'rules.newest'),
  days: whole(1, 36_500, 'rules.ruleDays'),
  /** One site or drive; all of them without. */
  siteId: id.nullable().default(null),
  /** What one person owns; everybody's files without. */
  ownerId: z.string().min(1).max(200).nullable().default(null),
};

/** Reads back every version that a rule would delete in Microsoft 365, and makes the script that deletes them there. */
export const cleanUp = {
  type: 'cleanUp',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { actions: ordinaryActions },
} as const satisfies JobKind;
