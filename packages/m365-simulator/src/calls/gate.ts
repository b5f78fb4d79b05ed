import { type Reply, sizeOf } from '../http/reply.ts';
import type { Caller, Context, Effect } from '../http/route.ts';
import type { Match } from '../http/router.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Call } from './create-context.ts';

/** A call that found its route and is allowed in. */
export interface Admission {
  readonly call: Call;
  readonly match: Match;
  readonly tenant: Tenant;
  readonly caller: Caller;
  /** Makes the context for the handler, with what a fault asks of it. */
  readonly make: (effects: ReadonlySet<Effect>) => Context;
}

/** What stands between the route and its handler. */
export interface Gate {
  /** Counts the call against its limits; throws 429. Returns what must be called when the answer is made. */
  readonly admit: (admission: Admission) => Admitted;
  /** Lets scripted faults act; may answer in place of the handler, or change its answer. */
  readonly disturb: (admission: Admission, handle: (effects: ReadonlySet<Effect>) => Promise<Reply>) => Promise<Reply>;
}

export interface Admitted {
  /** What the services tell of how near a limit is; mostly nothing. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly leave: (bytesOut: number) => void;
}

/** Runs one call through limits, faults and handler. */
export async function decide(gate: Gate, admission: Admission): Promise<Reply> {
  const admitted = gate.admit(admission);
  let bytesOut = 0;
  try {
    const reply = await gate.disturb(admission, async (effects) => {
      const context = admission.make(effects);
      const answer = await admission.match.route.handler(context);
      const preference = context.prefer.appliedHeader;
      return preference === undefined ? answer : { ...answer, headers: { ...answer.headers, 'Preference-Applied': preference } };
    });
    bytesOut = sizeOf(reply);
    return admitted.headers ? { ...reply, headers: { ...admitted.headers, ...reply.headers } } : reply;
  } finally {
    admitted.leave(bytesOut);
  }
}
