import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import type { JsonObject } from '../values/json.ts';
import type { Reply } from '../http/reply.ts';
import type { Tenant } from '../state/tenant.ts';
import { type App, appsOf } from './apps.ts';
import { isSignedBy, readJwt, signRs256, thumbprints } from './jwt.ts';
import { SignInFailure } from './sign-in-failure.ts';

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly keyId: string;
}

export interface SignInRequest {
  readonly tenant: Tenant;
  readonly form: URLSearchParams;
  /** `Authorization: Basic …` of the request. */
  readonly basic: string | undefined;
  /** Addresses of the token endpoint that an assertion may name as its audience. */
  readonly audiences: readonly string[];
}

const GRAPH = 'https://graph.microsoft.com';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Field of the form, or of Basic credentials. */
function credentials(request: SignInRequest): { readonly clientId: string; readonly secret: string | undefined } {
  const { form, basic } = request;
  if (basic !== undefined && form.get('client_secret') === null) {
    const text = Buffer.from(basic, 'base64').toString();
    const at = text.indexOf(':');
    return { clientId: decodeURIComponent(text.slice(0, at)), secret: decodeURIComponent(text.slice(at + 1)) };
  }
  return { clientId: form.get('client_id') ?? '', secret: form.get('client_secret') ?? undefined };
}

function checkSecret(app: App, secret: string, nowMs: number): void {
  const found = app.secrets.find((entry) => entry.value === secret);
  if (!found) throw new SignInFailure(7000215);
  if (found.expiresMs <= nowMs) throw new SignInFailure(7000222);
}

function checkTimes(claims: JsonObject, nowMs: number): void {
  const nowSeconds = nowMs / 1000;
  const { exp, nbf } = claims;
  const isInTime = typeof exp === 'number' && exp > nowSeconds && (typeof nbf !== 'number' || nbf <= nowSeconds + 300);
  if (!isInTime) throw new SignInFailure(700024);
}

function checkAssertion(app: App, assertion: string, request: SignInRequest): void {
  const token = readJwt(assertion);
  if (!token) throw new SignInFailure(700027);
  const certificate = app.certificates.find((pem) => {
    const print = thumbprints(pem);
    return token.header['x5t#S256'] === print.sha256 || token.header['x5t'] === print.sha1;
  });
  const nowMs = request.tenant.clock.nowMs();
  if (!certificate || !isSignedBy(token, certificate)) throw new SignInFailure(700027);
  if (new X509Certificate(certificate).validToDate.getTime() < nowMs) throw new SignInFailure(700027);
  const { iss, sub, aud } = token.claims;
  if (iss !== app.appId || sub !== app.appId) throw new SignInFailure(700030);
  if (typeof aud !== 'string' || !request.audiences.includes(aud)) throw new SignInFailure(700030);
  checkTimes(token.claims, nowMs);
}

function authenticate(request: SignInRequest): App {
  const { form, tenant } = request;
  const { clientId, secret } = credentials(request);
  const app = appsOf(tenant.store).get(clientId.toLowerCase());
  if (!app) throw new SignInFailure(700016);
  if (!app.isEnabled) throw new SignInFailure(7000112);
  const assertion = form.get('client_assertion');
  if (secret !== undefined && secret !== '') checkSecret(app, secret, tenant.clock.nowMs());
  else if (assertion !== null && form.get('client_assertion_type') === ASSERTION_TYPE) checkAssertion(app, assertion, request);
  else throw new SignInFailure(7000216);
  if (!app.hasConsent) throw new SignInFailure(65001);
  return app;
}

/** The claims of an access token; times come from the simulator's clock. */
function claimsOf(tenant: Tenant, app: App, lifeSeconds: number, audience: string): JsonObject {
  const nowSeconds = Math.floor(tenant.clock.nowMs() / 1000);
  return {
    aud: audience,
    iss: `https://sts.windows.net/${tenant.tenantId}/`,
    iat: nowSeconds,
    nbf: nowSeconds,
    exp: nowSeconds + lifeSeconds,
    app_displayname: app.displayName,
    appid: app.appId,
    appidacr: '1',
    idtyp: 'app',
    oid: createHash('sha256').update(app.appId).digest('hex').slice(0, 32),
    roles: app.roles,
    tid: tenant.tenantId,
    uti: app.revocations.toString(36),
    ver: '1.0',
  };
}

/** The service that a scope asks a token for. */
function audienceOf(form: URLSearchParams): string {
  for (const part of (form.get('scope') ?? '').split(' ')) {
    const resource = /^(https:\/\/[^/]+)\/+(?:v1\.0\/)?\.default$/u.exec(part)?.[1];
    if (resource !== undefined) return resource;
  }
  throw new SignInFailure(70011);
}

/** Answers the token endpoint, or throws a `SignInFailure`. */
export function signIn(request: SignInRequest, key: SigningKey): Reply {
  const { form, tenant } = request;
  const grant = form.get('grant_type');
  if (grant === null) throw new SignInFailure(900144);
  if (grant !== 'client_credentials' && grant !== 'refresh_token') throw new SignInFailure(70003);
  const app = authenticate(request);
  const refreshToken = form.get('refresh_token') ?? '';
  if (grant === 'refresh_token' && !app.refreshTokens.includes(refreshToken)) throw new SignInFailure(70008);
  const audience = grant === 'client_credentials' ? audienceOf(form) : GRAPH;
  const lifeSeconds = tenant.switches.accessTokenSeconds;
  const token = signRs256(key.privateKey, key.keyId, claimsOf(tenant, app, lifeSeconds, audience));
  const answer: JsonObject = {
    token_type: 'Bearer',
    expires_in: lifeSeconds,
    ext_expires_in: lifeSeconds,
    access_token: token,
    ...(grant === 'refresh_token' ? { refresh_token: refreshToken, scope: 'Files.ReadWrite.All offline_access' } : {}),
  };
  return { status: 200, json: answer };
}
