import type { Scope } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { repeatInScopes } from '../../platform/repeat-in-scopes.ts';
import { mountDataRequests } from './data-requests.routes.ts';
import { createDataRequestsService, type DataRequestsParts, type DataRequestsService } from './data-requests.service.ts';
import { createRequestExports, type RequestExports } from './request-exports.ts';

export interface DataRequestsPorts extends DataRequestsParts {
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
}

export interface DataRequestsFeature extends Feature {
  readonly requestExports: RequestExports;
  readonly erasureDrafted: DataRequestsService['erasureDrafted'];
}

const EVERY_MS = 60 * 60_000;

export function createDataRequestsFeature(ports: DataRequestsPorts): DataRequestsFeature {
  const { clock, logger } = ports;
  const service = createDataRequestsService(ports);
  const onError = (error: unknown): void => logger.warn({ err: error }, 'nobody could be reminded of requests that are to be answered');
  return Object.freeze<DataRequestsFeature>({
    requestExports: createRequestExports(ports),
    erasureDrafted: (...drafted) => service.erasureDrafted(...drafted),
    mount: (app) => inEachRealm((realm) => mountDataRequests(app, service, realm)),
    start: {
      scheduler: () =>
        repeatInScopes({ clock, everyMs: EVERY_MS, scopes: () => ports.scopes(), turn: (scope) => service.remind(scope), onError }),
    },
  });
}
