import type { JobBody, JobType } from '@holdfast/contract/jobs';
import { AppError } from '@holdfast/foundation/errors';
import type { RunContext, RunHandlers, RunOf } from './handler.ts';
import type { AnyJobKind, JobKind } from './kind.ts';

/** The kinds of job that this server can run. */
export interface JobKinds {
  /** The kind of a body. Refuses one that nothing handles: such a job would promise what it does not keep. */
  of(body: JobBody): JobKind;
  readonly handlers: RunHandlers;
}

export function createJobKinds(kinds: readonly AnyJobKind[]): JobKinds {
  // A kind is only ever given bodies and runs of its own type, which the compiler can't follow through the look-up.
  const known = new Map(kinds.map((kind): [JobType, JobKind] => [kind.type, kind as unknown as JobKind]));
  if (known.size < kinds.length) throw new AppError('internal', { message: 'A kind of job is registered twice.' });
  return Object.freeze<JobKinds>({
    of({ type }) {
      const kind = known.get(type);
      if (!kind) throw new AppError('jobs.type-unavailable', { details: { field: 'type' } });
      return kind;
    },
    handlers: Object.fromEntries(
      [...known].map(([type, kind]) => [type, (context: RunContext<RunOf<JobType>>) => kind.handle(context)]),
    ) as RunHandlers,
  });
}
