import { actOut } from '../faults/act.ts';
import type { Faults, FaultSubject } from '../faults/faults.ts';
import type { Effect } from '../http/route.ts';
import type { SimulatorClock } from '../clock/simulator-clock.ts';
import type { Counted } from '../limits/buckets.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Admission, Gate } from '../calls/gate.ts';

/** A call as the limits see it. */
export function countedOf(admission: Omit<Admission, 'make'>): Counted {
  const { call, match, tenant, caller } = admission;
  return {
    tenant,
    appId: caller.appId,
    route: match.route,
    method: call.method,
    params: match.params,
    query: call.address.query,
    headers: call.headers,
  };
}

function subjectOf(admission: Admission): FaultSubject {
  const { call, match, tenant } = admission;
  const path = decodeURIComponent(call.address.path.replace(/^\/v1\.0(?=\/)/u, ''));
  const person = path.startsWith('/users') ? tenant.directory.user(match.params[0] ?? '') : undefined;
  const users = person ? [person.id, person.userPrincipalName.toLowerCase()] : [];
  return { method: call.method, host: call.address.kind, path, template: match.route.path, tenantId: tenant.tenantId, users };
}

const NO_EFFECTS: ReadonlySet<Effect> = new Set();

/** Limits, then faults. */
export function createGate(clock: SimulatorClock, limiter: Limiter, faults: Faults): Gate {
  return Object.freeze({
    admit: (admission: Admission) => limiter.admit(countedOf(admission)),
    disturb(admission: Admission, handle: Parameters<Gate['disturb']>[1]) {
      if (faults.isEmpty) return handle(NO_EFFECTS);
      const rules = faults.take(subjectOf(admission));
      const pause = (seconds: number, form: Parameters<Limiter['pause']>[2]): string => limiter.pause(countedOf(admission), seconds, form);
      return actOut(rules, admission, { clock, pause }, handle);
    },
  });
}
