import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { portalSettingsOf } from './portal-settings.ts';

test('the portal calls the base paths and names the origins that the operator chose', () => {
  const config = readConfig({
    HOLDFAST_BASE_PATH: '/backup/v1',
    HOLDFAST_BASE_PATH_STAGING: '/backup/v1-beta',
    HOLDFAST_BASE_PATH_LEGACY: '/old',
    HOLDFAST_ALLOWED_ORIGINS: 'https://backup.example, https://gateway.example:8443',
  });
  expect(portalSettingsOf(config, '1.2.3')).toMatchObject({
    version: '1.2.3',
    basePaths: { main: '/backup/v1', staging: '/backup/v1-beta', legacy: '/old' },
    allowedOrigins: 'https://backup.example, https://gateway.example:8443',
  });
});

test('without settings the portal calls the base paths of the specification', () => {
  expect(portalSettingsOf(readConfig({}), '1').basePaths).toEqual({ main: '/apollo', staging: '/apollo-beta', legacy: '/api' });
});

test('the portal offers passkeys where browsers allow them at the public address', () => {
  const offers = (publicUrl: string) =>
    portalSettingsOf(readConfig({ HOLDFAST_PUBLIC_URL: publicUrl, HOLDFAST_TRUSTED_PROXIES: 'none' }), '1').passkeys;
  expect([offers('https://backup.contoso.example'), offers('http://127.0.0.1:8080')]).toEqual([true, false]);
});
