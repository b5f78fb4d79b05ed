import type { Random } from '@holdfast/foundation/random';
import { createSeededRandom } from '@holdfast/foundation/random';
import type { SimulatorClock } from '../clock/simulator-clock.ts';
import type { JsonValue } from '../values/json.ts';
import { type FaultRule, readFaultRule } from './fault-rule.ts';

/** What a rule is held against. */
export interface FaultSubject {
  readonly method: string;
  readonly host: string;
  /** Decoded, below the version. */
  readonly path: string;
  /** The template, when there is a route. */
  readonly template: string | undefined;
  readonly tenantId: string | undefined;
  /** Id and name of the user in the path, in lower case. */
  readonly users: readonly string[];
}

export interface FiredFault {
  readonly rule: number;
  readonly do: string;
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}

/** The script of faults, applied in order. */
export interface Faults {
  set(rules: readonly JsonValue[]): void;
  /** The rules that act on this request; counts them. */
  take(subject: FaultSubject): readonly FaultRule[];
  readonly log: readonly FiredFault[];
  readonly isEmpty: boolean;
}

interface Scripted {
  readonly rule: FaultRule;
  readonly pattern: RegExp | undefined;
  readonly random: Random;
  seen: number;
  fired: number;
}

const KEPT_LOG = 10_000;

function patternOf(path: string): RegExp {
  const text = path.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll('*', '.*');
  return new RegExp(`^${text}$`, 'iu');
}

function script(rule: FaultRule): Scripted {
  const { path, seed } = rule.match;
  return { rule, pattern: path === undefined ? undefined : patternOf(path), random: createSeededRandom(seed ?? 1), seen: 0, fired: 0 };
}

function isFor(scripted: Scripted, subject: FaultSubject): boolean {
  const { path } = scripted.rule.match;
  if (!isAbout(scripted, subject)) return false;
  return path === undefined || path === subject.template || scripted.pattern?.test(subject.path) === true;
}

/** Method, host, tenant and user. */
function isAbout(scripted: Scripted, subject: FaultSubject): boolean {
  const { method, host, tenant, user } = scripted.rule.match;
  if (method !== undefined && method.toUpperCase() !== subject.method) return false;
  // A rule that names no host is not about sign-in.
  if ((host ?? (subject.host === 'login' ? 'graph' : subject.host)) !== subject.host) return false;
  if (tenant !== undefined && tenant !== subject.tenantId) return false;
  return user === undefined || subject.users.includes(user.toLowerCase());
}

function acts(scripted: Scripted): boolean {
  const { nth, probability } = scripted.rule.match;
  scripted.seen += 1;
  if (scripted.fired >= scripted.rule.times) return false;
  if (nth !== undefined && scripted.seen !== nth) return false;
  return probability === undefined || scripted.random.next() < probability;
}

/** An empty script. The same rules and requests always give the same faults. */
export function createFaults(clock: SimulatorClock): Faults {
  let rules: Scripted[] = [];
  const log: FiredFault[] = [];
  return {
    set(values) {
      rules = values.map((value) => script(readFaultRule(value)));
    },
    take(subject) {
      const taken: FaultRule[] = [];
      rules.forEach((scripted, index) => {
        if (!isFor(scripted, subject) || !acts(scripted)) return;
        scripted.fired += 1;
        taken.push(scripted.rule);
        if (log.length < KEPT_LOG)
          log.push({ rule: index, do: scripted.rule.do, method: subject.method, path: subject.path, atMs: clock.nowMs() });
      });
      return taken;
    },
    log,
    get isEmpty() {
      return rules.length === 0;
    },
  };
}
