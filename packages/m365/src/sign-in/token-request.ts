import { ConfidentialClientApplication, type Configuration, type INetworkModule, type NetworkRequestOptions } from '@azure/msal-node';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Transport } from '../http/transport.ts';
import { graphError, isGraphError } from '../errors/errors.ts';
import type { GraphCredential } from './credential.ts';
import { createAssertionSigner, type AssertionSigner } from './certificate.ts';
import { signInFailure, type TokenAnswer } from './sign-in-failure.ts';

export interface RawToken {
  readonly accessToken: string;
  readonly lifetimeMs: number;
}

export interface TokenRequestOptions {
  readonly tenantId: string;
  readonly credential: GraphCredential;
  readonly loginUrl: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The library knows this authority by heart, and so asks for no discovery documents. */
const KNOWN_AUTHORITY = 'https://login.microsoftonline.com';
const SCOPE = 'https://graph.microsoft.com/.default';
const TOKEN_LIMIT_BYTES = 1024 * 1024;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The library's way to the network: our transport, with the authority replaced by the configured address. */
function createNetwork(options: TokenRequestOptions, onAnswer: (answer: TokenAnswer) => void): INetworkModule {
  async function send<T>(method: 'GET' | 'POST', address: string, request: NetworkRequestOptions = {}) {
    if (!address.startsWith(`${KNOWN_AUTHORITY}/`)) throw graphError('graph.foreign-host', { host: new URL(address).host });
    const url = new URL(options.loginUrl + address.slice(KNOWN_AUTHORITY.length));
    const response = await options.transport.send({
      method,
      url,
      headers: { accept: 'application/json', ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const body = parseJson((await response.read(TOKEN_LIMIT_BYTES)).toString('utf8'));
    onAnswer({ status: response.status, headers: response.headers, body });
    return { headers: { ...response.headers }, body: body as T, status: response.status };
  }
  return {
    sendGetRequestAsync: (url, request) => send('GET', url, request),
    sendPostRequestAsync: (url, request) => send('POST', url, request),
  };
}

function signerOf(options: TokenRequestOptions): AssertionSigner | undefined {
  const { credential, clock, ids } = options;
  if (credential.kind === 'secret') return undefined;
  return createAssertionSigner({
    certificatePem: credential.certificatePem,
    privateKeyPem: credential.privateKeyPem.reveal(),
    ...(credential.thumbprint === undefined ? {} : { thumbprint: credential.thumbprint }),
    clock,
    ids,
  });
}

/**
 * Asks for one token, without any cache: the library would renew by its own clock, we renew by ours. For the same
 * reason the assertion is signed here. Throws the sign-in's error, or `graph.network`.
 */
export function createTokenRequest(options: TokenRequestOptions): () => Promise<RawToken> {
  const { tenantId, credential, clock, ids } = options;
  const signer = signerOf(options);
  const audience = `${options.loginUrl}/${tenantId}/oauth2/v2.0/token`;

  function proof(): Pick<Configuration['auth'], 'clientSecret' | 'clientAssertion'> {
    if (credential.kind === 'secret') return { clientSecret: credential.clientSecret.reveal() };
    return { clientAssertion: () => Promise.resolve(signer?.sign({ clientId: credential.clientId, audience }) ?? '') };
  }

  return async function requestToken() {
    let answer: TokenAnswer | undefined;
    const network = createNetwork(options, (received) => {
      answer = received;
    });
    const application = new ConfidentialClientApplication({
      auth: { clientId: credential.clientId, authority: `${KNOWN_AUTHORITY}/${tenantId}`, ...proof() },
      system: { networkClient: network, disableInternalRetries: true },
    });
    let failure: unknown;
    const result = await application
      .acquireTokenByClientCredential({ scopes: [SCOPE], correlationId: ids.uuid() })
      .catch((error: unknown) => {
        failure = error;
      });
    if (!answer) throw isGraphError(failure) ? failure : graphError('graph.network', { system: 'sign-in', neverSent: true }, failure);
    const lifetime = (answer.body as { expires_in?: unknown }).expires_in;
    if (!result || answer.status !== 200 || result.accessToken === '') {
      const thumbprint = signer?.facts.thumbprint;
      throw signInFailure(answer, { nowMs: clock.nowMs(), ...(thumbprint === undefined ? {} : { thumbprint }) });
    }
    return { accessToken: result.accessToken, lifetimeMs: Number(lifetime) * 1000 };
  };
}
