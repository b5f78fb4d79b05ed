import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

export interface KnownPerson {
  readonly sub: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly given_name?: string;
  readonly family_name?: string;
}

/** A certified OpenID provider on a free port, whose people a test names. */
export interface RealProvider {
  readonly issuer: string;
  knows(person: KnownPerson): void;
  /** Follows the provider's pages as somebody, to where it sends the browser back. */
  signIn(address: string, sub: string): Promise<URL>;
  close(): Promise<void>;
}

interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectAddress: string;
}

function configurationOf(client: RegisteredClient, people: ReadonlyMap<string, KnownPerson>): Configuration {
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectAddress],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'groups'], profile: ['given_name', 'family_name'], email: ['email'] },
    // Entra puts them into the token as well.
    conformIdTokenClaims: false,
    cookies: { keys: ['of-a-test'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

/** A browser that keeps cookies and follows redirections until it is sent back. */
async function browse(address: string, until: string): Promise<URL> {
  const jar = new Map<string, string>();
  let next = new URL(address);
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    next = new URL(to, next);
    if (next.href.startsWith(until)) return next;
  }
  throw new Error('The provider never sent the browser back.');
}

export async function realProvider(client: RegisteredClient): Promise<RealProvider> {
  const people = new Map<string, KnownPerson>();
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(client, people));
  let signingIn = '';
  const pages = provider.callback();
  http.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void pages(request, response);
    return void provider.interactionFinished(request, response, { login: { accountId: signingIn } }, { mergeWithLastSubmission: false });
  });
  return {
    issuer,
    knows: (person) => void people.set(person.sub, person),
    async signIn(address, sub) {
      signingIn = sub;
      return browse(address, client.redirectAddress);
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
