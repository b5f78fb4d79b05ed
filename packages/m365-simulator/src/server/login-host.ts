import { now } from '@holdfast/foundation/clock';
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../http/reply.ts';
import { readBody } from '../calls/read-body.ts';
import type { Call } from '../calls/create-context.ts';
import { findTenant, type Simulation } from './simulation.ts';
import type { Tenant } from '../state/tenant.ts';
import { appsOf } from '../login/apps.ts';
import { instanceDiscovery, openIdConfiguration, signingKeys } from '../login/discovery.ts';
import { signIn } from '../login/sign-in.ts';
import { SignInFailure } from '../login/sign-in-failure.ts';

const FORM_BYTES = 64 * 1024;

/** `/common` is whatever tenant knows the refresh token. */
function tenantOfRefreshToken(simulation: Simulation, form: URLSearchParams): Tenant | undefined {
  const token = form.get('refresh_token') ?? '';
  return [...simulation.tenants.values()].find((tenant) =>
    [...appsOf(tenant.store).values()].some((app) => app.refreshTokens.includes(token)),
  );
}

function basicOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Basic (.+)$/iu.exec(headers.authorization ?? '')?.[1];
}

async function token(simulation: Simulation, call: Call, tenantName: string): Promise<Reply> {
  const form = new URLSearchParams((await readBody(call.stream, FORM_BYTES)).toString());
  const isCommon = isAnyTenant(tenantName);
  const tenant = isCommon ? tenantOfRefreshToken(simulation, form) : findTenant(simulation, tenantName);
  if (!tenant) throw new SignInFailure(isCommon ? 70008 : 90002);
  const address = `${call.address.origin}/${tenantName}/oauth2/v2.0/token`;
  const audiences = [
    address,
    `https://login.microsoftonline.com/${tenantName}/oauth2/v2.0/token`,
    `${call.address.origin}/${tenantName}/v2.0`,
  ];
  return signIn({ tenant, form, basic: basicOf(call.headers), audiences }, simulation.signingKey);
}

function isAnyTenant(name: string): boolean {
  return name === 'common' || name === 'organizations';
}

function configuration(simulation: Simulation, origin: string, tenantName: string): Reply {
  const tenantId = isAnyTenant(tenantName) ? tenantName : findTenant(simulation, tenantName)?.tenantId;
  if (tenantId === undefined) throw new SignInFailure(90002);
  return { status: 200, json: openIdConfiguration(origin, tenantId) };
}

async function answer(simulation: Simulation, call: Call): Promise<Reply> {
  const { path, origin } = call.address;
  const [, tenantName = '', ...rest] = path.split('/');
  switch (`${call.method} ${rest.join('/').toLowerCase()}`) {
    case 'POST oauth2/v2.0/token':
      return token(simulation, call, tenantName);
    case 'GET discovery/instance':
      return { status: 200, json: instanceDiscovery(origin, new URL(origin).host) };
    case 'GET discovery/v2.0/keys':
      return { status: 200, json: signingKeys(simulation.signingKey) };
    case 'GET v2.0/.well-known/openid-configuration':
      return configuration(simulation, origin, tenantName);
    default:
      return { status: 404 };
  }
}

/** The answer of the sign-in service to `failure`, with the fields that MSAL reads. */
export function refusal(simulation: Simulation, call: Call, failure: SignInFailure): Reply {
  const at = now(simulation.clock).toISOString();
  const correlation = String(
    call.headers['client-request-id'] ?? new URLSearchParams(call.address.query).get('client-request-id') ?? call.requestId,
  );
  const timestamp = `${at.slice(0, 10)} ${at.slice(11, 19)}Z`;
  const description = `${failure.code}: ${failure.message} Trace ID: ${call.requestId} Correlation ID: ${correlation} Timestamp: ${timestamp}`;
  return {
    status: failure.status,
    json: {
      error: failure.error,
      error_description: description,
      error_codes: [failure.number],
      timestamp,
      trace_id: call.requestId,
      correlation_id: correlation,
      error_uri: `https://login.microsoftonline.com/error?code=${failure.number}`,
    },
  };
}

/** Answers calls to the sign-in host. */
export async function handleLogin(simulation: Simulation, call: Call): Promise<Reply> {
  try {
    return await answer(simulation, call);
  } catch (error) {
    if (error instanceof SignInFailure) return refusal(simulation, call, error);
    throw error;
  }
}
