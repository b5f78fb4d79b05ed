import { z } from 'zod';
import { id, said } from '../shared/values.ts';
import { folderPath, sourceReference } from './source.ts';

/** Where the files are: uploaded before, or in a folder that the server may import from. */
const importSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upload'), fileId: id }),
  z.object({
    kind: z.literal('folder'),
    path: said(1_000),
  }),
]);

/** Whose archive a folder goes to. Of several that hold a message the longest folder decides; an empty one is everything else. */
const importMapping = z.object({
  folder: folderPath.or(z.literal('')).default(''),
  mailbox: sourceReference,
  /** A folder that the others are put into. */
  into: folderPath.or(z.literal('')).default(''),
});

/** What is imported, and whereto. A dry run reads the files, says what they hold, and stores nothing. */
export const importSettings = z
  .object({
    source: importSource,
    mapping: z.array(importMapping).max(1_000).default([]),
    dryRun: z.boolean().default(false),
    /** Of an Outlook data file with a password: what `outlookPasswordCheck` makes of it. The password itself is never sent. */
    passwordCheck: z
      .number()
      .int()
      .min(-(2 ** 31))
      .max(2 ** 31 - 1)
      .optional(),
  })
  .refine(({ dryRun, mapping }) => dryRun || mapping.length > 0, { path: ['mapping'], error: 'validation.usersRequired' });
export type ImportSettings = z.infer<typeof importSettings>;
