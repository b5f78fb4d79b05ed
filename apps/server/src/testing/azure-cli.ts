import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** As much of `az` as the scripts call: requests to Graph with the token of whoever signed in, and one answer printed. */
const standIn = `
const [command, ...rest] = process.argv.slice(2);
const option = (name) => rest[rest.indexOf('--' + name) + 1];
if (command === 'account') {
  console.log(process.env.TENANT);
} else {
  const method = option('method');
  const headers = { authorization: 'Bearer ' + process.env.TOKEN, 'content-type': 'application/json' };
  const answer = await fetch(option('url'), { method, headers, ...(method === 'GET' ? {} : { body: option('body') }) });
  const json = await answer.json();
  if (!answer.ok) {
    console.error(JSON.stringify(json.error));
    process.exit(1);
  }
  const names = option('query').replaceAll(/[\\[\\]]/g, '').split(',');
  console.log(names.map((name) => json[name]).join('\\n'));
}
`;

/** What of a simulator the scripts need: it may run in this process or in another one. */
interface Directory {
  readonly login: string;
  readonly admin: string;
  /** Path of the certificate to trust. */
  readonly ca: string;
  readonly tenants: readonly { readonly tenantId: string }[];
}

/** A token of an administrator of the simulated tenant, who may register apps. */
async function administratorToken({ login, admin, ca, tenants: [tenant] }: Directory): Promise<{ tenantId: string; token: string }> {
  if (!tenant) throw new Error('The simulator has no tenant.');
  const { tenantId } = tenant;
  const roles = ['Application.ReadWrite.All', 'AppRoleAssignment.ReadWrite.All'];
  const made = await fetch(`${admin}/tenants/${tenantId}/apps`, { method: 'POST', body: JSON.stringify({ name: 'Administrator', roles }) });
  const { clientId, clientSecret } = (await made.json()) as { clientId: string; clientSecret: string };
  const form = {
    grant_type: 'client_credentials',
    scope: 'https://graph.microsoft.com/.default',
    client_id: clientId,
    client_secret: clientSecret,
  };
  const code = `fetch(${JSON.stringify(`${login}/${tenantId}/oauth2/v2.0/token`)}, { method: 'POST', body: new URLSearchParams(${JSON.stringify(form)}) }).then((a) => a.json()).then((a) => console.log(a.access_token))`;
  const asked = await ran([process.execPath, '-e', code], { NODE_EXTRA_CA_CERTS: ca });
  return { tenantId, token: asked.output.trim() };
}

async function ran(words: readonly string[], env: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }> {
  const child = spawn(words[0] ?? '', words.slice(1), { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: output + errors };
}

/** Runs a script for Azure CLI against the simulated tenant, in bash, with a stand-in for `az`. */
export async function runAzureCliScript(
  simulator: Directory,
  folder: string,
  script: string,
): Promise<{ code: number | null; output: string }> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'az.mjs'), standIn);
  await writeFile(path.join(bin, 'az'), `#!/bin/sh\nexec '${process.execPath}' '${path.join(bin, 'az.mjs')}' "$@"\n`);
  await chmod(path.join(bin, 'az'), 0o755);
  const { tenantId, token } = await administratorToken(simulator);
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, TENANT: tenantId, TOKEN: token, NODE_EXTRA_CA_CERTS: simulator.ca };
  return ran(['bash', '-c', script], env);
}
