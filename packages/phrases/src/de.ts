import { errors } from './de/errors.ts';
import type { en } from './en.ts';
import type { SameKeys } from './shape.ts';

/** German: must have every key of English. */
export const de: SameKeys<typeof en> = { errors };
