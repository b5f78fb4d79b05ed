import { graphError, type GraphError, type GraphErrorCode } from '../errors/errors.ts';

/** AADSTS numbers and what they lead to. Everything else refuses the credentials without a reason of its own. */
const NUMBERS: Readonly<Record<number, GraphErrorCode>> = {
  7000215: 'graph.credentials-refused',
  7000222: 'graph.credentials-expired',
  700027: 'graph.certificate-refused',
  700030: 'graph.certificate-refused',
  700024: 'graph.clock-skewed',
  700016: 'graph.client-unknown',
  90002: 'graph.tenant-unknown',
  7000112: 'graph.access-withdrawn',
  65001: 'graph.access-withdrawn',
  53003: 'graph.access-withdrawn',
  530032: 'graph.access-withdrawn',
  50033: 'graph.sign-in-unavailable',
  90006: 'graph.sign-in-unavailable',
  90024: 'graph.sign-in-unavailable',
  90033: 'graph.sign-in-unavailable',
  90090: 'graph.sign-in-unavailable',
};

/** The field of the tenant's configuration to look at. */
const FIELDS: Partial<Record<GraphErrorCode, string>> = {
  'graph.credentials-refused': 'clientSecret',
  'graph.credentials-expired': 'clientSecret',
  'graph.certificate-refused': 'certificate',
  'graph.client-unknown': 'clientId',
  'graph.tenant-unknown': 'tenantId',
};

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export interface SignInFacts {
  readonly nowMs: number;
  /** The thumbprint that was sent, for certificates. */
  readonly thumbprint?: string;
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

function numberOf(body: Record<string, unknown>): number | undefined {
  const listed: unknown = Array.isArray(body['error_codes']) ? body['error_codes'][0] : undefined;
  if (typeof listed === 'number') return listed;
  const quoted = /AADSTS(\d+)/.exec(textOf(body, 'error_description'))?.[1];
  return quoted === undefined ? undefined : Number(quoted);
}

function codeOf(answer: TokenAnswer, body: Record<string, unknown>, number: number | undefined): GraphErrorCode {
  const known = number === undefined ? undefined : NUMBERS[number];
  if (known) return known;
  if (answer.status >= 500 || answer.status === 429 || textOf(body, 'error') === 'temporarily_unavailable')
    return 'graph.sign-in-unavailable';
  return textOf(body, 'error') === 'unauthorized_client' ? 'graph.access-withdrawn' : 'graph.credentials-refused';
}

/** The error for a refused token request, with the AADSTS number, the field to look at, and how far the clocks are apart. */
export function signInFailure(answer: TokenAnswer, facts: SignInFacts): GraphError {
  const body = typeof answer.body === 'object' && answer.body !== null ? (answer.body as Record<string, unknown>) : {};
  const number = numberOf(body);
  const code = codeOf(answer, body, number);
  const servedAt = Date.parse(answer.headers['date'] ?? '');
  return graphError(code, {
    status: answer.status,
    serviceCode: number === undefined ? textOf(body, 'error') : `AADSTS${number}`,
    requestId: textOf(body, 'trace_id'),
    clientRequestId: textOf(body, 'correlation_id'),
    field: FIELDS[code],
    thumbprint: code === 'graph.certificate-refused' ? facts.thumbprint : undefined,
    clockAheadMs: code === 'graph.clock-skewed' && !Number.isNaN(servedAt) ? facts.nowMs - servedAt : undefined,
  });
}
