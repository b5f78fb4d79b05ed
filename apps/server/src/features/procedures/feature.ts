import { procedures as contract } from '@holdfast/contract/procedures';
import type { Scope } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { Feature } from '../../platform/feature.ts';
import { repeatInScopes } from '../../platform/repeat-in-scopes.ts';
import { askingOf } from '../identity/index.ts';
import { createProceduresService, type ProceduresParts } from './procedures.service.ts';

const EVERY_MS = 60 * 60_000;

export interface ProceduresPorts extends ProceduresParts {
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
}

export function createProceduresFeature(ports: ProceduresPorts): Feature {
  const { clock, logger } = ports;
  const service = createProceduresService(ports);
  const onError = (error: unknown): void => logger.warn({ err: error }, 'nobody could be reminded of the procedure documentation');
  return Object.freeze<Feature>({
    mount: (app) =>
      inEachRealm((realm) =>
        mount(
          app,
          contract,
          {
            list: (context) => service.list(scopeOf(context), context.params.tenantId, context.query),
            make: (context) => service.make(askingOf(context), context.params.tenantId),
            get: (context) => service.get(scopeOf(context), context.params, context.query.language),
            file: (context) => service.file(scopeOf(context), context.params, context.query.language),
            sections: (context) => service.sections(scopeOf(context), context.params.tenantId),
            saveSections: (context) => service.saveSections(askingOf(context), context.params.tenantId, context.body.sections),
          },
          { surface: 'main', realm },
        ),
      ),
    start: {
      scheduler: () =>
        repeatInScopes({ clock, everyMs: EVERY_MS, scopes: () => ports.scopes(), turn: (scope) => service.remind(scope), onError }),
    },
  });
}
