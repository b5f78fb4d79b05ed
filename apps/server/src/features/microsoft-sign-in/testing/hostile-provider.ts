import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What of an honest answer is changed. */
export interface Alteration {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signature?: 'other' | 'none' | 'missing';
}

/** An OpenID provider that answers as a test tells it. */
export interface HostileProvider {
  readonly issuer: string;
  /** Takes over an attempt: what the browser comes back with. The next code is exchanged for an answer changed like this. */
  lure(address: URL, alteration: Alteration): string;
  close(): Promise<void>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(claims: object, alteration: Alteration, keys: { readonly own: KeyObject; readonly other: KeyObject }): string {
  const isUnsigned = alteration.signature === 'none';
  const signed = `${encode({ alg: isUnsigned ? 'none' : 'RS256', kid: 'own', typ: 'JWT' })}.${encode(claims)}`;
  const key = alteration.signature === 'other' ? keys.other : keys.own;
  return `${signed}.${isUnsigned ? '' : sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}

export async function hostileProvider(clientId: string): Promise<HostileProvider> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const answers = new Map<string, object>();
  const pages: Readonly<Record<string, object>> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    '/keys': { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] },
  };
  http.on('request', (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const code = new URLSearchParams(body).get('code') ?? '';
      const page = request.url === '/token' ? answers.get(code) : pages[request.url ?? ''];
      response.writeHead(page ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(page ?? {}));
    });
  });
  return {
    issuer,
    lure({ searchParams }, alteration) {
      const now = Math.floor(Date.now() / 1_000);
      const sub = randomUUID();
      const claims = {
        iss: issuer,
        aud: clientId,
        sub,
        iat: now,
        exp: now + 600,
        nonce: searchParams.get('nonce'),
        email: `${sub.slice(0, 8)}@contoso.example`,
        groups: ['readers'],
        ...alteration.claims,
      };
      const idToken = alteration.signature === 'missing' ? {} : { id_token: tokenOf(claims, alteration, { own: pair.privateKey, other }) };
      answers.set(sub, { access_token: 'unused', token_type: 'Bearer', expires_in: 600, ...idToken });
      return `?code=${sub}&state=${searchParams.get('state') ?? ''}`;
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
