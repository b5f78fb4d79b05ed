import type { SimulatorClock } from '../clock/simulator-clock.ts';
import { denied, Failure } from '../http/failure.ts';
import { type JsonObject, type JsonValue, numberOf, textOf } from '../values/json.ts';
import type { Reply } from '../http/reply.ts';
import type { Effect } from '../http/route.ts';
import type { RetryAfterForm } from '../limits/retry-after.ts';
import type { Admission } from '../calls/gate.ts';
import { type FaultRule, isEffect } from './fault-rule.ts';

/** What faults need besides the request. */
export interface Stage {
  readonly clock: SimulatorClock;
  /** Pauses the bucket of the request and returns the header. */
  readonly pause: (seconds: number, form: RetryAfterForm) => string;
}

function headersOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as JsonObject).map(([name, text]) => [name, textOf(text)]))
    : {};
}

/** Any row of A4: status, code, message, headers, inner code; `isEmpty` for no body at all. */
export function failureOf(options: JsonObject, otherwise: number): Failure {
  const inner = typeof options['inner'] === 'string' ? { inner: options['inner'] } : {};
  const code = textOf(options['code'], 'generalException');
  return new Failure(numberOf(options['status'], otherwise), code, textOf(options['message'], 'A scripted fault.'), {
    headers: headersOf(options['headers']),
    isEmpty: options['isEmpty'] === true || options['code'] === undefined,
    ...inner,
  });
}

function throttle(rule: FaultRule, stage: Stage): Failure {
  const seconds = numberOf(rule.options['seconds'], 10);
  const header = stage.pause(seconds, textOf(rule.options['form'], 'integer') as RetryAfterForm);
  const status = numberOf(rule.options['status'], 429);
  const code = status === 503 ? 'serviceNotAvailable' : 'TooManyRequests';
  return new Failure(status, code, 'Too many requests.', { headers: { 'Retry-After': header }, isEmpty: rule.options['isEmpty'] === true });
}

/** The number of items that a list request asks for. */
function askedItems(admission: Admission): number {
  const prefer = String(admission.call.headers['prefer'] ?? '');
  const preferred = /odata\.maxpagesize=(\d+)/u.exec(prefer)?.[1];
  const top = /(?:^|&)(?:\$|%24)top=(\d+)/u.exec(admission.call.address.query)?.[1];
  return Number(preferred ?? top ?? 0);
}

type Before = (rule: FaultRule, admission: Admission, stage: Stage) => Promise<void> | void;

/** Faults that answer before the handler is asked. */
const before: Readonly<Partial<Record<FaultRule['do'], Before>>> = {
  status(rule) {
    throw failureOf(rule.options, 500);
  },
  empty(rule) {
    throw new Failure(numberOf(rule.options['status'], 503), '', '', { isEmpty: true });
  },
  throttle(rule, _admission, stage) {
    throw throttle(rule, stage);
  },
  delay: (rule, _admission, stage) => stage.clock.sleep(numberOf(rule.options['ms'], 1000)),
  expireToken() {
    throw new Failure(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.');
  },
  expireUrl(rule) {
    throw new Failure(numberOf(rule.options['status'], 401), 'unauthenticated', 'The link has expired.');
  },
  revokeRole(_rule, admission) {
    throw denied(admission.match.route.service);
  },
  slowPage(rule, admission) {
    if (askedItems(admission) > numberOf(rule.options['above'], 100)) throw new Failure(503, '', '', { isEmpty: true });
  },
  vanish: (_rule, admission) => admission.match.route.vanish?.(admission.make(new Set())),
};

/** Faults that change the answer of the handler, or what is sent of it. */
function after(rule: FaultRule, reply: Reply): Reply {
  if (rule.do === 'applyThenFail') throw failureOf(rule.options, 504);
  if (rule.do === 'reset') return { ...reply, transport: { do: 'reset', when: textOf(rule.options['when'], 'middle') } };
  if (rule.do === 'truncate') return { ...reply, transport: { do: 'truncate', share: numberOf(rule.options['share'], 0.5) } };
  if (rule.do === 'slow') return { ...reply, transport: { do: 'slow', bytesPerSecond: numberOf(rule.options['bytesPerSecond'], 1024) } };
  return reply;
}

/** Lets the rules act on one request, in order, around its handler. */
export async function actOut(
  rules: readonly FaultRule[],
  admission: Admission,
  stage: Stage,
  handle: (effects: ReadonlySet<Effect>) => Promise<Reply>,
): Promise<Reply> {
  const effects = new Set<Effect>();
  for (const rule of rules) {
    if (isEffect(rule.do)) effects.add(rule.do);
    else await before[rule.do]?.(rule, admission, stage);
  }
  if (rules.some((rule) => rule.do === 'reset' && rule.options['when'] === 'before'))
    return { status: 500, transport: { do: 'reset', when: 'before' } };
  let reply = await handle(effects);
  for (const rule of rules) reply = after(rule, reply);
  return reply;
}
