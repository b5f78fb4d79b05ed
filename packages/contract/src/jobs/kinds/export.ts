import { z } from 'zod';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, type JobKind } from '../kind.ts';

const own = { type: z.literal('export'), exportId: id };

/** Reads what an export lists, and writes its manifest. */
export const contentExport = {
  type: 'export',
  body: z.object({ ...commonBody, ...own }),
  answer: z.object({ ...commonAnswer, ...own }),
  traits: { page: '/ediscovery/portal', actions: ordinaryActions },
} as const satisfies JobKind;
