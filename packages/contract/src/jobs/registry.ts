import { z } from 'zod';
import type { JobTraits } from './kind.ts';
import { jobKinds } from './kinds/all.ts';
import type { Workload } from '../shared/values.ts';
import { completeSource } from './source.ts';

export type JobType = keyof typeof jobKinds;
export const jobTypes = Object.keys(jobKinds) as [JobType, ...JobType[]];

const oneType = `(?:${jobTypes.join('|')})`;

/** The kinds that a list is asked for: one, or several with commas between them. */
export const askedTypes = z
  .string()
  .regex(new RegExp(`^${oneType}(?:,${oneType})*$`, 'u'))
  .transform((names) => jobTypes.filter((type) => names.split(',').includes(type)));

type Bodies = (typeof jobKinds)[JobType]['body'];
type Answers = (typeof jobKinds)[JobType]['answer'];
const [first, ...others] = Object.values(jobKinds) as [(typeof jobKinds)[JobType], ...(typeof jobKinds)[JobType][]];

/** What is sent to save a job, by its kind. */
export const jobBody = z.discriminatedUnion('type', [first.body, ...others.map(({ body }) => body)] as [Bodies, ...Bodies[]]);
export type JobBody = z.infer<typeof jobBody>;
export type BodyOf<Type extends JobType> = Extract<JobBody, { type: Type }>;

/** A job as the API answers it, by its kind. */
export const job = z.discriminatedUnion('type', [first.answer, ...others.map(({ answer }) => answer)] as [Answers, ...Answers[]]);
export type Job = z.infer<typeof job>;

/** What holds for every job of a kind. */
export function traitsOf(type: JobType): JobTraits {
  return jobKinds[type].traits;
}

/** Whether a job rests while its tenant is deprovisioned. */
export function needsTenant(body: JobBody): boolean {
  return traitsOf(body.type).needsTenant?.(body) ?? true;
}

/** Where the portal shows a job. */
export function jobAddress({ jobId, type, workload }: Pick<Job, 'jobId' | 'type'> & { readonly workload?: Workload | null }): string {
  const page = traitsOf(type).page ?? (workload === 'teams' ? '/teams/jobs' : '/backup-and-restore/backup-jobs');
  return `${page}/${jobId}`;
}

/** The workload and the location of a job; null for kinds that have none. */
export function placeOf(body: JobBody): { readonly workload: Workload | null; readonly locationId: string | null } {
  return { workload: 'workload' in body ? body.workload : null, locationId: 'locationId' in body ? body.locationId : null };
}

/** The kinds that something holds for, as queries name them. */
export function typesWhere(holds: (traits: JobTraits) => boolean): readonly JobType[] {
  return jobTypes.filter((type) => holds(traitsOf(type)));
}

/** The kinds that make restore points. */
export const protectingTypes = typesWhere(({ protects }) => protects === true);

/** The kinds that write into Microsoft 365 or hand out what was kept, and not to prove that it can be. */
export const restoringTypes = typesWhere(({ putsBack, proves }) => putsBack === true && proves !== true);
export const gatheringTypes = typesWhere(({ gathers }) => gathers === true);

/** The kinds that store something new. */
export const storingTypes = typesWhere(({ stores }) => stores !== undefined);

/** Those of them that take all that they are asked to protect: what they say of a resource is how well it is stored. */
export const coveringTypes = typesWhere(({ stores, adds }) => stores !== undefined && adds !== true);

/** A body as it was kept, with what jobs of earlier versions do not have. */
export function completeBody(kept: JobBody): JobBody {
  return 'source' in kept ? { ...kept, source: completeSource(kept.source) } : kept;
}
