import { z } from 'zod';
import { defineRoute } from '../shared/route.ts';
import { id, instant, tenantParams } from '../shared/values.ts';

/** For how many days after its end a restore can be undone: later, people have built on what it brought. */
export const UNDO_DAYS = 30;

/** Why a restore cannot be undone, or not now. */
export const undoRefusals = ['undo.not-a-restore', 'undo.not-ended', 'undo.under-way', 'undo.too-late', 'undo.nothing-noted'] as const;
export type UndoRefusal = (typeof undoRefusals)[number];

const count = z.number().int();

/** What undoing a restore would do. Whether people have changed something since is found out item by item, when it runs. */
export const undoPlan = z.object({
  /** Null when it can be undone now. */
  refusal: z.enum(undoRefusals).nullable(),
  /** The last moment to begin; null before the restore has ended. */
  until: instant.nullable(),
  /** Items and folders that the restore made and that are taken away. */
  toRemove: count,
  /** Items that it replaced and of which a backup holds exactly what was there. */
  toPutBack: count,
  /** Items that it replaced and of which no backup holds that: they stay as they are. */
  notKept: count,
  /** Items that nobody can take away again, such as messages in Teams. */
  stays: count,
  /** The last run that undid it. */
  last: z.object({ reportId: id, startedAt: instant.nullable(), endedAt: instant.nullable() }).nullable(),
});
export type UndoPlan = z.infer<typeof undoPlan>;

const params = tenantParams.extend({ reportId: id });

export const undo = {
  plan: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/monitoring/:reportId/undo',
    action: 'restore.run',
    summary: 'Whether a restore can be undone, until when, and what that would do; nothing is written',
    params,
    response: undoPlan,
  }),
  start: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/monitoring/:reportId/undo',
    action: 'restore.run',
    summary: 'Undo a restore: takes away what it made, and puts back what it replaced',
    params,
    body: z.object({ reason: z.string().trim().min(1, { error: 'validation.reason' }).max(500) }),
    response: z.object({ reportId: id }),
    errors: [...undoRefusals],
  }),
};
