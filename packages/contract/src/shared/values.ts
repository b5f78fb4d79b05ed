import { z } from 'zod';

/** Building blocks that several features share. */
export const id = z.uuid();
export const instant = z.iso.datetime();
/** `HH:MM`, 00:00 to 23:59. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'validation.time' });
/** A line break, or a character that turns the direction of what follows: either makes a name look like another one. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** Text that lists, mails and the audit log show in one line. */
export const oneLine = (text: z.ZodString): z.ZodString => text.refine((value) => !misleading.test(value), { error: 'validation.oneLine' });
/** What somebody has to enter, in so many characters at most. */
export const said = (most: number): z.ZodString =>
  z.string().trim().min(1, { error: 'validation.required' }).max(most, { error: 'validation.tooLong' });
/** The name of an organisation. */
export const organisationName = oneLine(
  z.string().trim().min(1, { error: 'validation.organisation' }).max(100, { error: 'validation.organisation' }),
);

export const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
export const workload = z.enum(workloads);
export type Workload = z.infer<typeof workload>;

export const tenantParams = z.object({ tenantId: id });

/** Answer of everything that takes long: poll it at the status path or watch the events. */
export const taskReference = z.object({ taskId: id });
export const taskStates = ['pending', 'running', 'finished', 'failed', 'cancelled'] as const;
export const task = z.object({
  taskId: id,
  status: z.enum(taskStates),
  stage: z.string(),
  progress: z.number().min(0).max(100),
  processed: z.number().int(),
  errors: z.number().int(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  message: z.string().nullable(),
});
export type Task = z.infer<typeof task>;

/** A page of a file as a picture, and its words for those who do not see it. */
export const drawnPage = z.object({
  pages: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  /** WebP, in Base64. */
  picture: z.string(),
  words: z.string(),
});
export type DrawnPage = z.infer<typeof drawnPage>;
/** The number of a page, counted from one. */
export const pageNumber = z.coerce.number().int().min(1).max(10_000);

/** Error bodies of the API: `application/problem+json`. `errors` maps a field to its phrases. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().optional(),
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
export type Problem = z.infer<typeof problem>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A time zone of the IANA list: `Europe/Berlin`. */
export const timeZoneName = z
  .string()
  .trim()
  .min(1, { error: 'rules.timeZone' })
  .max(100, { error: 'rules.timeZone' })
  .refine(isTimeZone, { error: 'rules.timeZone' });
