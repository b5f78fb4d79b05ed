import { z } from 'zod';
import { importSettings } from '../import-settings.ts';
import { id } from '../../shared/values.ts';
import { commonAnswer, commonBody, ordinaryActions, placed, type JobKind } from '../kind.ts';

const own = { type: z.literal('import'), import: importSettings };

/** Takes mail from files into archives. */
export const mailImport = {
  type: 'import',
  body: z.object({ ...commonBody, ...own, locationId: id }),
  answer: z.object({ ...commonAnswer, ...own, ...placed }),
  traits: { stores: 'archive', adds: true, page: '/archive/jobs', actions: ordinaryActions },
} as const satisfies JobKind;
