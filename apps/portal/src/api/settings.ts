import { portalSettings, portalSettingsElementId } from '@holdfast/contract/portal-settings';
import type { PortalSettings } from '@holdfast/contract/portal-settings';

/** The settings that the server wrote into the page; the defaults under the development server. */
export function readSettings(page: Document): PortalSettings {
  const text = page.getElementById(portalSettingsElementId)?.textContent;
  return portalSettings.parse(text ? JSON.parse(text) : { version: 'development' });
}
