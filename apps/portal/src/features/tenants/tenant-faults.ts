import { ApiError } from '../../api/api-error.ts';

/** Which field a refusal of the server belongs to. */
export const tenantFieldByCode: Readonly<Record<string, string>> = {
  'tenants.name-taken': 'name',
  'tenants.already-connected': 'microsoftTenantId',
  'tenants.credential-refused': 'clientSecret',
  'tenants.certificate-invalid': 'certificate',
  'tenants.thumbprint-mismatch': 'thumbprint',
  'tenants.unreachable': 'microsoftTenantId',
  'tenants.clock-skew': 'microsoftTenantId',
};

/** The faults of a refusal by field, from its field list or its code. */
export function faultsOf(error: unknown, fields: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  if (!(error instanceof ApiError)) return {};
  const field = fields[error.code ?? ''];
  return Object.keys(error.fields).length > 0 || field === undefined ? error.fields : { [field]: [error.message] };
}
