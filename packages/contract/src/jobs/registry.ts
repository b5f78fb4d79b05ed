import { z } from 'zod';
import type { JobTraits } from './kind.ts';
import { archive } from './kinds/archive.ts';
import { backup } from './kinds/backup.ts';
import { deletion } from './kinds/deletion.ts';
import { drill } from './kinds/drill.ts';
import { restore } from './kinds/restore.ts';
import { verify } from './kinds/verify.ts';
import { completeSource } from './source.ts';

/** Every kind of job. What is not here is refused. */
export const jobKinds = { backup, archive, restore, deletion, verify, drill } as const;
export type JobType = keyof typeof jobKinds;
export const jobTypes = Object.keys(jobKinds) as [JobType, ...JobType[]];

const { body: firstBody, answer: firstAnswer } = backup;
type Bodies = (typeof jobKinds)[JobType]['body'];
type Answers = (typeof jobKinds)[JobType]['answer'];
const others = Object.values(jobKinds).slice(1);

/** What is sent to save a job, by its kind. */
export const jobBody = z.discriminatedUnion('type', [firstBody, ...others.map(({ body }) => body)] as [Bodies, ...Bodies[]]);
export type JobBody = z.infer<typeof jobBody>;
export type BodyOf<Type extends JobType> = Extract<JobBody, { type: Type }>;

/** A job as the API answers it, by its kind. */
export const job = z.discriminatedUnion('type', [firstAnswer, ...others.map(({ answer }) => answer)] as [Answers, ...Answers[]]);
export type Job = z.infer<typeof job>;

/** What holds for every job of a kind. */
export function traitsOf(type: JobType): JobTraits {
  return jobKinds[type].traits;
}

/** The kinds that something holds for, as queries name them. */
export function typesWhere(holds: (traits: JobTraits) => boolean): readonly JobType[] {
  return jobTypes.filter((type) => holds(traitsOf(type)));
}

/** The kinds that make restore points. */
export const protectingTypes = typesWhere(({ protects }) => protects === true);

/** A body as it was kept, with what jobs of earlier versions do not have. */
export function completeBody(kept: JobBody): JobBody {
  return 'source' in kept ? { ...kept, source: completeSource(kept.source) } : kept;
}
