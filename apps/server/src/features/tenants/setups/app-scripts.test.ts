import { expect, test } from 'vitest';
import { permissionsFor } from '../connection-report.ts';
import { powerShellScript } from './app-scripts.ts';

const permissions = permissionsFor(['exchange', 'teams'], true);
const script = (certificate: string | null): string =>
  powerShellScript({ appName: 'Holdfast', certificate, permissions, graphUrl: 'https://graph.microsoft.com' });

/** A script without its texts: here-strings, single and double quotes, comments. Quotes that do not close stay. */
function withoutTexts(source: string): string {
  return source
    .replaceAll(/@'\n[\s\S]*?\n'@/g, '')
    .replaceAll(/"(?:`.|[^"`])*"/g, '')
    .replaceAll(/'[^'\n]*'/g, '')
    .replaceAll(/#.*$/gm, '');
}

/** Brackets that are open at the end, or the first that closes none. */
function unclosed(source: string): string {
  const open: string[] = [];
  const partner: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
  for (const sign of source.match(/[(){}[\]]/g) ?? []) {
    if (partner[sign] === undefined) open.push(sign);
    else if (open.pop() !== partner[sign]) return sign;
  }
  return open.join('');
}

test.each([null, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'])(
  'the PowerShell script closes what it opens, and sends no value between quotes of another kind (%#)',
  (certificate) => {
    const plain = withoutTexts(script(certificate));
    expect(plain).not.toMatch(/["'`]/);
    expect(unclosed(plain)).toBe('');
    // The bodies of its requests, with variables in them, are JSON once the variables have values.
    const bodies = [...script(certificate).matchAll(/"(\{`".*?\})"(?=\n|$)/gm)].map(([, body = '']) =>
      body.replaceAll('`"', '"').replaceAll(/\$\([^)]*\)|\$\w+/g, 'value'),
    );
    expect(bodies.map((body) => Object.keys(JSON.parse(body) as object))).toEqual([['appId'], ['principalId', 'resourceId', 'appRoleId']]);
  },
);

test('the PowerShell script grants each permission that was asked for, and prints a secret only where there is one', () => {
  for (const { roleId } of permissions) expect(script(null).split(`'${roleId}'`).length).toBe(2);
  expect(script(null)).toContain('secretText');
  expect(script('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')).not.toContain('secret');
});
