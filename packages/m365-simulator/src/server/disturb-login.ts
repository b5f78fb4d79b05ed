import { failureOf } from '../faults/act.ts';
import type { FaultRule } from '../faults/fault-rule.ts';
import { numberOf } from '../values/json.ts';
import type { Reply } from '../http/reply.ts';
import type { Call } from '../calls/create-context.ts';
import { findTenant, type Simulation } from './simulation.ts';
import { refusal } from './login-host.ts';
import { isSignInCode, SignInFailure } from '../login/sign-in-failure.ts';

async function act(simulation: Simulation, call: Call, rule: FaultRule): Promise<Reply | undefined> {
  const { ms, code } = rule.options;
  if (rule.do === 'status') throw failureOf(rule.options, 503);
  if (rule.do === 'delay') await simulation.clock.sleep(numberOf(ms, 1000));
  if (rule.do === 'reset') return { status: 500, transport: { do: 'reset', when: 'before' } };
  if (rule.do === 'signIn' && typeof code === 'number' && isSignInCode(code)) return refusal(simulation, call, new SignInFailure(code));
  return undefined;
}

/** Scripted faults of the sign-in host: `{"match":{"host":"login"},"do":"signIn","code":50033}`. */
export async function disturbLogin(simulation: Simulation, call: Call, handle: () => Promise<Reply>): Promise<Reply> {
  if (simulation.faults.isEmpty) return handle();
  const tenantId = findTenant(simulation, call.address.path.split('/')[1] ?? '')?.tenantId;
  const subject = { method: call.method, host: 'login', path: call.address.path, template: undefined, tenantId, users: [] };
  for (const rule of simulation.faults.take(subject)) {
    const reply = await act(simulation, call, rule);
    if (reply) return reply;
  }
  return handle();
}
