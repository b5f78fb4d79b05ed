import { AppError } from '@holdfast/foundation/errors';
import type { Service } from './route.ts';

export interface FailureOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The nested, more specific code, as drives use it (`resyncChangesApplyDifferences`). */
  readonly inner?: string;
  /** No body at all, as gateways answer. */
  readonly isEmpty?: boolean;
}

/** An answer that is an error of the service. Handlers throw it; the server writes it in the shape of Graph. */
export class Failure extends AppError {
  readonly status: number;
  readonly options: FailureOptions;

  constructor(status: number, code: string, message: string, options: FailureOptions = {}) {
    super(code, { message });
    this.name = 'Failure';
    this.status = status;
    this.options = options;
  }
}

/** A failure with its own code: `throw fail(409, 'nameAlreadyExists', '…')`. */
export function fail(status: number, code: string, message: string): Failure {
  return new Failure(status, code, message);
}

interface Dialect {
  readonly notFound: string;
  readonly denied: string;
  readonly badRequest: string;
  readonly throttled: string;
  readonly conflict: string;
  readonly changed: string;
}

const outlook: Dialect = {
  notFound: 'ErrorItemNotFound',
  denied: 'ErrorAccessDenied',
  badRequest: 'ErrorInvalidRequest',
  throttled: 'ApplicationThrottled',
  conflict: 'ErrorFolderExists',
  changed: 'ErrorIrresolvableConflict',
};
const drives: Dialect = {
  notFound: 'itemNotFound',
  denied: 'accessDenied',
  badRequest: 'invalidRequest',
  throttled: 'activityLimitReached',
  conflict: 'nameAlreadyExists',
  changed: 'resourceModified',
};
const teams: Dialect = {
  notFound: 'NotFound',
  denied: 'Forbidden',
  badRequest: 'BadRequest',
  throttled: 'TooManyRequests',
  conflict: 'Conflict',
  changed: 'PreconditionFailed',
};
const directory: Dialect = {
  notFound: 'Request_ResourceNotFound',
  denied: 'Authorization_RequestDenied',
  badRequest: 'Request_BadRequest',
  throttled: 'TooManyRequests',
  conflict: 'Request_MultipleObjectsWithSameKeyValue',
  changed: 'Request_PreconditionFailed',
};

/** The codes of each service for the same mistakes. */
export const dialects: Readonly<Record<Service, Dialect>> = {
  outlook,
  drives,
  sites: drives,
  teams,
  directory,
  core: { ...directory, badRequest: 'BadRequest', notFound: 'ResourceNotFound' },
  reports: { ...directory, denied: 'S2SUnauthorized' },
};

/** 404 in the dialect of `service`. */
export function notFound(service: Service, message = 'The specified object was not found in the store.'): Failure {
  return new Failure(404, dialects[service].notFound, message);
}

/** 400 in the dialect of `service`. */
export function badRequest(service: Service, message: string): Failure {
  return new Failure(400, dialects[service].badRequest, message);
}

/** 403 in the dialect of `service`. */
export function denied(service: Service, message = 'Access is denied. Check credentials and try again.'): Failure {
  return new Failure(403, dialects[service].denied, message);
}

/** 409 in the dialect of `service`. */
export function conflict(service: Service, message: string): Failure {
  return new Failure(409, dialects[service].conflict, message);
}

/** 412 in the dialect of `service`: `If-Match` did not hold. */
export function changedMeanwhile(service: Service): Failure {
  return new Failure(412, dialects[service].changed, 'The resource has changed since the caller last read it.');
}

/** Honours `If-Match`: throws 412 unless it is absent, `*` or equal to `etag`. */
export function requireMatch(service: Service, ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === etag) return;
  throw changedMeanwhile(service);
}
