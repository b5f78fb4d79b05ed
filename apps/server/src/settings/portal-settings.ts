import type { PortalSettingsInput } from '@holdfast/contract/portal-settings';
import { basePathsOf, publicUrlOf, type Config } from './config.ts';
import { relyingPartyOf } from './relying-party.ts';

/** What the portal is told before its first call: the settings that act in the browser. */
export function portalSettingsOf(config: Config, version: string): PortalSettingsInput {
  const { HOLDFAST_DEMO_EMAIL: email, HOLDFAST_DEMO_PASSWORD: password, HOLDFAST_IMPRINT_EN: en, HOLDFAST_IMPRINT_DE: de } = config;
  return {
    version,
    basePaths: basePathsOf(config),
    allowedOrigins: config.HOLDFAST_ALLOWED_ORIGINS.join(', '),
    passkeys: relyingPartyOf(publicUrlOf(config)) !== undefined,
    toastLimit: config.HOLDFAST_TOAST_LIMIT,
    demo: email === undefined || password === undefined ? null : { email, password },
    support: { email: config.HOLDFAST_SUPPORT_EMAIL, phone: config.HOLDFAST_SUPPORT_PHONE, url: config.HOLDFAST_SUPPORT_URL },
    imprint: en === undefined && de === undefined ? null : { en: en ?? de ?? '', de: de ?? en ?? '' },
  };
}
