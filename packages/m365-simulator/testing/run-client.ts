import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Simulator } from '../src/index.ts';

const run = promisify(execFile);

/** Runs a script in a process of its own. It knows the real host names alone; proxy and authority come from the environment. */
export async function runClient(
  simulator: Simulator,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const [access] = simulator.tenants;
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL(`clients/${name}.ts`, import.meta.url))], {
    env: {
      PATH: process.env['PATH'],
      HTTPS_PROXY: simulator.proxy,
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: simulator.ca,
      TENANT_ID: access?.tenantId,
      CLIENT_ID: access?.clientId,
      CLIENT_SECRET: access?.clientSecret,
      CERTIFICATE: access?.certificate,
      ...more,
    },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}
