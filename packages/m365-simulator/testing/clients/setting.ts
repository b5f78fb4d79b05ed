/** What a client script is told about the simulator: by environment, as an administrator would. */
export interface Setting {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate: string;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export function readSetting(): Setting {
  return {
    tenantId: variable('TENANT_ID'),
    clientId: variable('CLIENT_ID'),
    clientSecret: variable('CLIENT_SECRET'),
    certificate: variable('CERTIFICATE'),
  };
}

/** Hands a result to the test that started the script. */
export function tell(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The message of whatever was thrown. */
export async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
