import { z } from 'zod';
import { jobNameMinLength } from '../shared/limits.ts';

/** Spec section 5: at least four characters, none of the special ones. Names are unique in a tenant, whatever their case. */
export const jobName = z
  .string()
  .trim()
  .min(jobNameMinLength, { error: 'validation.jobNameMinimum' })
  .max(100, { error: 'validation.tooLong' })
  .regex(/^[\p{L}\p{N} ._-]+$/u, { error: 'validation.jobNameCharacters' });
