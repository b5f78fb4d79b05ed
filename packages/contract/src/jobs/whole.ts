import { z } from 'zod';

/** A whole number within bounds that the text under this key names. */
export const whole = (least: number, most: number, error: string) => z.int({ error }).min(least, { error }).max(most, { error });
