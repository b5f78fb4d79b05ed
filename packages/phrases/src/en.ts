import { errors } from './en/errors.ts';

/** English: the source of every key. A feature adds its file here and in `de.ts`. */
export const en = { errors } as const;
