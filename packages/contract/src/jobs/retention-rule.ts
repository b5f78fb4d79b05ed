import { z } from 'zod';
import { whole } from './whole.ts';

/** How long restore points stay. Grandfather, father, son: the newest of each day, week, month and year. */
export const retentionRule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('all') }),
  z.object({ mode: z.literal('days'), days: whole(1, 36_500, 'rules.keptDays') }),
  z.object({ mode: z.literal('count'), count: whole(1, 100_000, 'rules.keptCount') }),
  z.object({
    mode: z.literal('gfs'),
    daily: whole(0, 3_650, 'rules.keptParts'),
    weekly: whole(0, 520, 'rules.keptParts'),
    monthly: whole(0, 600, 'rules.keptParts'),
    yearly: whole(0, 100, 'rules.keptParts'),
  }),
]);
export type RetentionRule = z.infer<typeof retentionRule>;
