import { isGraphError } from '../../errors/errors.ts';
import type { Transport, WireRequest } from '../../http/transport.ts';
import type { AccessToken, TokenSource } from '../../sign-in/token-source.ts';

/** Tells whether Microsoft 365 answers anything at all when what was asked for keeps failing. */
export interface ServiceCheck {
  isAway(): Promise<boolean>;
}

export interface ServiceCheckParts {
  readonly transport: Transport;
  readonly tokens: TokenSource;
  /** The cheapest request that every application may send. */
  readonly request: (token: AccessToken) => WireRequest;
}

const ANSWER_LIMIT_BYTES = 1024 * 1024;

export function createServiceCheck({ transport, tokens, request }: ServiceCheckParts): ServiceCheck {
  let pending: Promise<boolean> | undefined;

  async function ask(): Promise<boolean> {
    try {
      const response = await transport.send(request(await tokens.current()));
      await response.read(ANSWER_LIMIT_BYTES);
      return response.status >= 500;
    } catch (error) {
      return isGraphError(error, 'graph.network', 'graph.truncated', 'graph.sign-in-unavailable');
    } finally {
      pending = undefined;
    }
  }

  return Object.freeze({
    isAway() {
      pending ??= ask();
      return pending;
    },
  });
}
