import { AppError } from '@holdfast/foundation/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Effect } from '../http/route.ts';

const EFFECTS = [
  'corruptMessage',
  'corruptAttachment',
  'malware',
  'lock',
  'quota',
  'staleHash',
  'rewriteOffice',
  'noMailbox',
  'noDrive',
  'expireDelta',
] as const;
const ACTIONS = [
  'status',
  'empty',
  'throttle',
  'delay',
  'reset',
  'truncate',
  'slow',
  'applyThenFail',
  'vanish',
  'expireToken',
  'expireUrl',
  'revokeRole',
  'slowPage',
  'signIn',
] as const;

export type FaultAction = (typeof ACTIONS)[number];

/** Which requests a rule is for; what is not given does not matter. */
export interface FaultMatch {
  readonly method?: string;
  /** A template of the table of routes, or a pattern with `*` over the path below the version. */
  readonly path?: string;
  readonly host?: string;
  /** Tenant id. */
  readonly tenant?: string;
  /** Id or name of the user in the path. */
  readonly user?: string;
  /** Only the n-th request that matches, counted from 1. */
  readonly nth?: number;
  readonly probability?: number;
  readonly seed?: number;
}

/** One scripted fault. */
export interface FaultRule {
  readonly match: FaultMatch;
  readonly do: FaultAction | Effect;
  /** What the action needs: `status`, `code`, `seconds` … */
  readonly options: JsonObject;
  /** How often it acts; without end unless given. */
  readonly times: number;
}

/** True for an action that only the handler can act out. */
export function isEffect(name: string): name is Effect {
  return (EFFECTS as readonly string[]).includes(name);
}

function isAction(name: string): name is FaultAction {
  return (ACTIONS as readonly string[]).includes(name);
}

function refuse(message: string): never {
  throw new AppError('simulator.bad-fault', { message });
}

function readMatch(value: JsonValue | undefined): FaultMatch {
  if (value === undefined) return {};
  if (!isJsonObject(value)) return refuse('match must be an object');
  const known = ['method', 'path', 'host', 'tenant', 'user', 'nth', 'probability', 'seed'];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`match.${unknown} is not known`);
  return value;
}

/** Reads a rule: `{"match":{…},"do":"throttle","seconds":5,"times":2}`, or `"do":{"throttle":{"seconds":5}}`. */
export function readFaultRule(value: JsonValue): FaultRule {
  if (!isJsonObject(value)) return refuse('a rule must be an object');
  const { match, do: action, times, ...rest } = value;
  const [name, options] = isJsonObject(action) ? (Object.entries(action)[0] ?? ['', {}]) : [typeof action === 'string' ? action : '', rest];
  if (!isAction(name) && !isEffect(name)) return refuse(`do: ${name} is not a fault`);
  return {
    match: readMatch(match),
    do: name,
    options: isJsonObject(options) ? options : {},
    times: typeof times === 'number' ? times : Infinity,
  };
}
